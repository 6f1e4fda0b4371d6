package data

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The folders and files of the lake beside those of its tables.
const (
	MartsFolder    = "marts"
	PicturesFolder = "pictures"
	journalDir     = "journal"
	markerFile     = "LAKE"
	recordFile     = MartsFolder + "/files.json" // of the files of marts
	// snapshotFolder has the tables' files as they were when the snapshot was taken.
	snapshotFolder = journalDir + "/snapshot"
	tempSuffix     = ".tmp"
)

// Names come from people and from lakes of others: what has no such form becomes no part of a path.
var (
	stemPattern    = regexp.MustCompile(`^[a-z0-9.-]*-[0-9a-f]{8}$`)
	picturePattern = regexp.MustCompile(`^pictures/[0-9a-f]{64}\.[a-z0-9]{1,8}$`)
	martPattern    = regexp.MustCompile(`^` + MartsFolder + `/([a-z0-9_]+/)?[a-z0-9_]+\.parquet$`)
	tempPattern    = regexp.MustCompile(`^` + journalDir + `/[A-Za-z0-9._-]+\` + tempSuffix + `$`)
	heldPattern    = regexp.MustCompile(`^[a-z0-9.-]{1,200}$`) // of what can be held: units, journals and folders
)

const unitsHint = `list the units with: captionlake sql "select distinct unit from runs"`

// checkStem tells the name of a unit's files from any other text, so that it can become part of a path.
func checkStem(stem string) error {
	if stemPattern.MatchString(stem) {
		return nil
	}
	return WithHint(fmt.Errorf("%q is not the name of a unit", stem), unitsHint)
}

// unitFile is the unit whose file in a table has the name.
func unitFile(name string) (stem string, ok bool) {
	table, file := path.Split(name)
	table = strings.TrimSuffix(table, "/")
	stem, ok = strings.CutSuffix(file, ".parquet")
	return stem, ok && isTable(table) && stemPattern.MatchString(stem)
}

func isTable(name string) bool { return slices.Contains(tableFolders(), name) }

// unitOf is the unit's name in the name of one of its files.
func unitOf(name string) string { return strings.TrimSuffix(path.Base(name), ".parquet") }

// unitFiles are all files that a unit may have.
func unitFiles(stem string) []string {
	var files []string
	for _, table := range tableFolders() {
		if table != Runs.Name() {
			files = append(files, table+"/"+stem+".parquet")
		}
	}
	return files
}

// tableFolders are the folders of the tables' files.
func tableFolders() (folders []string) {
	for _, t := range Tables() {
		folders = append(folders, t.Name())
	}
	return folders
}

// IsUnit reports whether a text is the name of a unit's files, without the ending: it leads to no other folder.
func IsUnit(stem string) bool { return stemPattern.MatchString(stem) }

// IsPicture reports whether a text is the name of a picture within a lake.
func IsPicture(name string) bool { return picturePattern.MatchString(name) }
