package data

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// The folders and files of the lake, besides the folders of tables.
const (
	MartsFolder    = "marts"
	PicturesFolder = "pictures"
	journalDir     = "journal"
	markerFile     = "LAKE"
	recordFile     = MartsFolder + "/files.json" // digests of the files of marts
	// snapshotFolder holds links to the tables' files at the time of the snapshot.
	snapshotFolder = journalDir + "/snapshot"
	tempSuffix     = ".tmp"
)

// Patterns of the names in a lake. Names come from people and from other people's lakes, so a name
// that does not match its pattern never becomes a part of a path.
var (
	stemPattern    = regexp.MustCompile(`^[a-z0-9.-]*-[0-9a-f]{8}$`)
	picturePattern = regexp.MustCompile(`^pictures/[0-9a-f]{64}\.[a-z0-9]{1,8}$`)
	martPattern    = regexp.MustCompile(`^` + MartsFolder + `/([a-z0-9_]+/)?[a-z0-9_]+\.parquet$`)
	tempPattern    = regexp.MustCompile(`^` + journalDir + `/[A-Za-z0-9._-]+\` + tempSuffix + `$`)
	heldPattern    = regexp.MustCompile(`^[a-z0-9.-]{1,200}$`) // names that can be held: units, journals and folders
)

const unitsHint = `list the units with: captionlake sql "select distinct unit from runs"`

// unitFile is the unit that a file of a table belongs to, by the file's name. ok is false if the
// name is not the name of such a file.
func unitFile(name string) (stem string, ok bool) {
	table, file := path.Split(name)
	table = strings.TrimSuffix(table, "/")
	stem, ok = strings.CutSuffix(file, ".parquet")
	return stem, ok && isTable(table) && stemPattern.MatchString(stem)
}

func isTable(name string) bool { return slices.Contains(tableFolders(), name) }

// unitOf is the name of the unit that a file belongs to, by the name of the file.
func unitOf(name string) string { return strings.TrimSuffix(path.Base(name), ".parquet") }

// unitFiles are the names of all files that a unit may have, except its record in runs.
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

// IsUnit reports whether a text can be the name of a unit's files without the ending. Such a name
// leads to no other folder.
func IsUnit(stem string) bool { return stemPattern.MatchString(stem) }

// IsPicture reports whether a text is the name of a picture within a lake.
func IsPicture(name string) bool { return picturePattern.MatchString(name) }
