//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// The site of a lake of full size: 46 captioners with captions, recorded replies and answers to 33,027 questions beside those of the paper, and
// a picture of each item. It prints what its making and its opening take, which SPEED.md has.
func TestFullSizeSite(t *testing.T) {
	if os.Getenv("CAPTIONLAKE_BENCH_FULL") == "" {
		t.Skip("makes a lake of four million rows and its site; set CAPTIONLAKE_BENCH_FULL=1 and CAPTIONLAKE_SLOW=1 to run it")
	}
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	must.Succeed(t, err)
	dir := t.TempDir()
	command := func(args ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), binary, append([]string{"--quiet", "--lake", "lake"}, args...)...)
		c.Dir = dir
		begun := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		used := c.ProcessState.SysUsage().(*syscall.Rusage)
		t.Logf("%s: %.1f s, %.1f s of processor time, %d MB at the peak", args[0], time.Since(begun).Seconds(),
			(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), used.Maxrss>>10)
	}
	command("simulate", "--prompts", "Simple")
	tell(t, filepath.Join(dir, "lake"), 46)
	command("analyze")
	command("report", "--out", "report")

	var size, largest int64
	var files int
	var page string
	err = filepath.WalkDir(filepath.Join(dir, "report"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files, size = files+1, size+info.Size()
		if strings.HasSuffix(path, ".html") && info.Size() > largest {
			largest, page = info.Size(), path
		}
		return nil
	})
	must.Succeed(t, err)
	t.Logf("%d files, %d MB; the largest page is %s with %d kB", files, size>>20, filepath.Base(page), largest>>10)

	at := "file://" + filepath.ToSlash(filepath.Join(dir, "report")) + "/"
	tab := browser.Open(t, at+"index.html", browser.Options{})
	timed := func(what string, do func()) {
		begun := time.Now()
		do()
		t.Logf("%s: %.2f s", what, time.Since(begun).Seconds())
	}
	timed("the largest page", func() { tab.Goto("file://" + filepath.ToSlash(page)) })
	timed("the samples", func() { tab.Goto(at + "samples.html"); tab.Await(".found", "33,027 of 33,027 questions") })
	timed("A right, B wrong", func() {
		tab.Click("[data-preset=split]")
		tab.AwaitValue(`/^[1-9][0-9,]* of 33,027 questions$/.test(document.querySelector(".found").innerText) && !document.querySelector(".found").innerText.startsWith("33,")`, "true")
	})
	timed("a question with its picture, captions and replies", func() {
		tab.Click("a[data-place]")
		tab.Await(".sample .cards", "400 tokens in, 1 out")
		tab.Await(".sample .cards", "caption 45 of")
		tab.AwaitValue(`document.querySelector(".sample img").naturalWidth`, "64")
	})
}

// tell adds captioners to a simulated lake whose captions and replies are there, with answers like those of the lake's own, and gives each of
// its items a picture.
func tell(t *testing.T, dir string, captioners int) {
	lake, err := data.Edit(dir, "test")
	must.Succeed(t, err)
	defer func() {
		if err := lake.Close(); err != nil {
			t.Error(err)
		}
	}()
	commit := func(stage, name string, write func(*data.Tx) error) {
		t.Helper()
		tx, err := lake.Begin(data.Unit{Stage: stage, Name: name, Fingerprint: "full " + name, Provenance: data.ProvenanceSimulated})
		must.Succeed(t, err)
		defer tx.Abort()
		must.Succeed(t, errors.Join(write(tx), tx.Commit()))
	}
	var images []data.Image
	for row, err := range data.Scan(lake, data.Images) {
		must.Succeed(t, err)
		images = append(images, row)
	}
	commit("simulate", "images", func(tx *data.Tx) error { // instead of rows without a picture
		out, err := data.NewRowWriter(tx, data.Images)
		if err != nil {
			return err
		}
		for i, row := range images {
			drawn := image.NewRGBA(image.Rect(0, 0, 64, 48))
			drawn.Set(i%64, i/64, color.White)
			var b bytes.Buffer
			if err := png.Encode(&b, drawn); err != nil {
				return err
			}
			if row.Path, err = tx.AddPicture(b.Bytes(), "png"); err != nil {
				return err
			}
			row.SHA256, row.Format, row.Width, row.Height, row.Bytes = strings.TrimSuffix(filepath.Base(row.Path), ".png"), "png", 64, 48, int64(b.Len())
			if err := out.Write(row); err != nil {
				return err
			}
		}
		return nil
	})
	own, err := lake.Distinct(data.Answers, "captioner")
	must.Succeed(t, err)
	for k := range captioners {
		name := fmt.Sprintf("captioner-%02d", k)
		commit("test", name, func(tx *data.Tx) error {
			captions, err1 := data.NewRowWriter(tx, data.Captions)
			answers, err2 := data.NewRowWriter(tx, data.Answers)
			calls, err3 := data.NewRowWriter(tx, data.Calls)
			if err := errors.Join(err1, err2, err3); err != nil {
				return err
			}
			for _, i := range images {
				text := fmt.Sprintf("The caption %d of %s. ", k, i.ImageID) + strings.Repeat("A kite above a beach where people sit. ", 12)
				if err := captions.Write(data.Caption{ImageID: i.ImageID, Captioner: name, Prompt: "Simple", Domain: i.Domain, Caption: text, Words: 100, FinishReason: "stop", Provenance: data.ProvenanceSimulated}); err != nil {
					return err
				}
			}
			n := 0
			for row, err := range data.Select(lake, data.Answers, data.Where{"captioner": own[k%len(own)], "evidence": "caption"}) {
				if err != nil {
					return err
				}
				if n++; n%(k+7) == 0 { // or two captioners would be one
					row.Outcome, row.Score = "incorrect", 0
				}
				row.Captioner, row.RequestHash = name, data.Fingerprint(name, row.QuestionID)
				call := data.Call{
					RequestHash: row.RequestHash, Stage: "answer", Protocol: row.Protocol, Model: row.Reader, Subject: row.QuestionID, State: "ok", Reply: "B", FinishReason: "stop",
					PromptTokens: 400, CompletionTokens: 1, LatencyMS: new(20.0), Attempts: 1, Sampling: "{}", FinishedAt: time.Unix(1e9, 0).UTC(), Provenance: data.ProvenanceSimulated,
				}
				if err := errors.Join(answers.Write(row), calls.Write(call)); err != nil {
					return err
				}
			}
			return nil
		})
	}
}
