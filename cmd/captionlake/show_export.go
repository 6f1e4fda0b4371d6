package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/plots/export"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// export makes all files of an export and then writes them into a folder. It leaves out simulated
// rows.
func (a *app) export(name string, values map[string]string, out string) (err error) {
	all, err := ggsql.Exports()
	if err != nil {
		return err
	}
	var chosen []*ggsql.File
	var names []string
	for _, f := range all {
		export, further, _ := strings.Cut(f.Name, ".") // A file NAME.FORM has a further form of the export NAME.
		if export == name {
			chosen = append(chosen, f)
		}
		if further == "" {
			names = append(names, export)
		}
	}
	if out == "" {
		return a.usage(data.Errorf("name the folder: --out FOLDER", "an export is files in a folder"))
	}
	if err := among("export", name, names, "choose one of: "+strings.Join(names, ", ")); err != nil {
		return a.usage(err)
	}
	lake, err := a.readLake()
	if err != nil {
		return err
	}
	made, notes, err := a.exported(lake, chosen, values, data.ProvenancePublished, data.ProvenanceMeasured)
	if err != nil {
		return err
	}
	if made == nil {
		err := data.Errorf("list what it has with: captionlake show lake_contents",
			"%s: the lake has no such rows", name)
		// If rows of all kinds make files, or fail to, then the lake has simulated rows.
		if simulated, _, failed := a.exported(lake, chosen, values); simulated != nil || failed != nil {
			err = data.Errorf("run the benchmark with models of your own, or ingest their results",
				"%s: the rows are simulated, and nothing simulated leaves the lake", name)
		}
		return err
	}
	a.noteBehind(build.Behind(lake))
	for _, note := range notes {
		a.warn(note)
	}
	var written []string
	for _, file := range made {
		path := filepath.Join(out, filepath.FromSlash(file.Name))
		write := func(w io.Writer) error { _, err := w.Write(file.Bytes); return err }
		if err := files.WriteWhole(path, 0o644, write); err != nil {
			return err
		}
		written = append(written, path)
	}
	return show(a, written, nil, func(paths []string) {
		a.say("%s\n", strings.Join(paths, "\n"))
	})
}

// exported makes the files of an export from the rows of some provenances, or from all rows if no
// provenance is named. It returns no files if there are no such rows.
func (a *app) exported(lake *data.Lake, chosen []*ggsql.File, values map[string]string,
	kinds ...string) (made []export.File, notes []string, err error) {
	reader, err := ask.OpenReader(a.context, lake, engine.Options{Kinds: kinds})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return export.Make(a.context, reader, chosen, values)
}
