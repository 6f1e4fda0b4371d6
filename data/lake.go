package data

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/gofrs/flock"

	"github.com/captionlake/captionlake/data/files"
)

const layout = 3 // layout version of the lakes that this release reads and writes

var marker = fmt.Sprintf("captionlake lake, layout %d\n", layout)

// ErrNotALake is wrapped by the error of opening a folder that is not a lake.
var ErrNotALake = errors.New("not a lake")

// ErrOtherLayout is wrapped by the error of opening a lake with the layout of another release.
var ErrOtherLayout = errors.New("the lake was written by another captionlake")

// A Lake is an open lake. Any number of processes may read it and write to it, but only one at a
// time writes a unit.
type Lake struct {
	store   files.Store
	root    *os.Root
	dir     string
	name    string // the lake's name in errors of a merge: dir, unless NameLake sets another name
	now     func() time.Time
	session *session                        // nil unless the lake is open for writing
	who     string                          // describes this process in messages to processes that wait for it
	link    func(name, second string) error // makes a hard link; replaced in tests

	waiter Waiter
	bounds knownBounds

	committing sync.Mutex // for goroutines: on some systems the lock of commits excludes only other processes
}

// Dir is the lake's folder, as the caller gave it.
func (l *Lake) Dir() string { return l.dir }

// Store gives access to the lake's files by name.
func (l *Lake) Store() files.Store { return l.store }

// Path returns where in the file system a file of the lake is.
func (l *Lake) Path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

// LocalPath is Path for a name from a table, such as the name of a picture. A name that leads out
// of the lake is an error; a missing file is not.
func (l *Lake) LocalPath(name string) (string, error) {
	local := filepath.FromSlash(name)
	_, err := l.root.Stat(local) // Stat refuses a symbolic link that leads out of the lake.
	if !filepath.IsLocal(local) {
		err = errors.New("it leads out of the lake")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", Errorf("the lake is damaged or not to be trusted; load the file that has the name again",
			"%s: the name %q in a table is not the name of a file of the lake: %w", l.dir, name, err)
	}
	return l.Path(name), nil
}

// openRoot opens the folder of a lake. No name that root opens can lead out of the folder. Nobody
// closes root: Go's garbage collector closes it once the lake is no longer used.
func openRoot(dir string) (*Lake, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, folderError(dir, err)
	}
	return &Lake{store: files.In(root), root: root, dir: dir, name: dir, now: time.Now, link: root.Link,
		who: whoIs("reading", time.Now())}, nil
}

// folderError adds the next step to an error about the folder that --lake names.
func folderError(dir string, err error) error {
	info, statErr := os.Stat(dir)
	switch {
	case statErr == nil && !info.IsDir():
		return Errorf("name a folder with --lake", "%s: %w: it is a file", dir, ErrNotALake)
	case errors.Is(err, fs.ErrNotExist):
		return WithHint(fmt.Errorf("%s: %w", dir, ErrNotALake),
			"name the lake's folder with --lake, or make one with: captionlake init --lake %s", dir)
	case errors.Is(err, syscall.ENOTDIR):
		return Errorf("name a folder with --lake", "%s: %w: a part of the path is a file", dir, ErrNotALake)
	case cannotWrite(err): // also if the folder may not be read
		return Errorf("check the folder's permissions, or name another with --lake", "%s: %w", dir, err)
	}
	return err
}

// cannotWrite reports whether err means that the lake cannot be written: read-only, full or not
// permitted.
func cannotWrite(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) ||
		errors.Is(err, syscall.EDQUOT)
}

// writeError adds the next step to an error that means that the lake cannot be written.
func (l *Lake) writeError(err error) error {
	if !cannotWrite(err) {
		return err
	}
	return Errorf("check its permissions, the file system and the room on it, or work on a copy; "+
		"sql, status, compare and report -o DIR only read it", "%s: the lake cannot be written: %w", l.dir, err)
}

var markerPattern = regexp.MustCompile(`^captionlake lake, layout ([1-9][0-9]{0,8})\n$`)

// checkMarker reads the lake's marker. Its error wraps ErrNotALake or ErrOtherLayout if captionlake
// must not touch the folder.
func checkMarker(l *Lake) error {
	content, err := files.Read(l.store, markerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return folderError(l.dir, err)
	}
	if err != nil {
		return err
	}
	parsed := markerPattern.FindSubmatch(content)
	if parsed == nil {
		return WithHint(fmt.Errorf("%s: %w: its file %s does not say which layout it has", l.dir, ErrNotALake,
			markerFile),
			"if it is a lake of this version, its file %s has one line: %s", markerFile, strings.TrimSpace(marker))
	}
	if string(parsed[1]) != strconv.Itoa(layout) {
		return WithHint(fmt.Errorf("%s: %w: its layout is %s, this one knows %d", l.dir, ErrOtherLayout, parsed[1],
			layout),
			"use the captionlake that wrote it, or make the lake anew; this is %s", Version)
	}
	return nil
}

// writable reports an error unless the lake is open for writing.
func (l *Lake) writable() error {
	if l.session == nil {
		return fmt.Errorf("%s: the lake is open for reading only", l.dir)
	}
	return nil
}

// PutFile writes a small file of the lake atomically. A file that already holds these bytes is left
// alone. The lake must be open for writing.
func (l *Lake) PutFile(name string, content []byte) error {
	if old, err := files.Read(l.store, name); err == nil && string(old) == string(content) {
		return nil
	}
	if err := l.writable(); err != nil {
		return err
	}
	// No other process uses this name. If a step below fails, a later writer removes the file.
	temp := l.Temp("put-" + strings.ToLower(rand.Text()))
	if err := files.Write(l.store, temp, content); err != nil {
		return err
	}
	return l.store.Move(temp, name)
}

// whoIs describes this process in messages to processes that wait for it.
func whoIs(command string, since time.Time) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("captionlake %s (process %d on %s, since %s)", command, os.Getpid(), host,
		since.UTC().Format(time.RFC3339))
}

// A session has the locks of a lake that is open for writing.
type session struct {
	id    string               // tells this process's lines in the list of commits from other lines
	lake  *flock.Flock         // lock of the file lakeLock
	units map[string]*unitLock // locks of units and folders, by name; guarded by the lock of commits
}

// A unitLock is the lock of a unit or folder. The process holds the lock until it has released the
// lock as often as it has taken it.
type unitLock struct {
	*flock.Flock
	times int // taken and not yet released
}

// Tell passes a notice to the user of the command that opened the lake.
func (l *Lake) Tell(text string) {
	if l.waiter.Tell != nil {
		l.waiter.Tell(text)
	}
}

// context is the context of the command. It ends if the command is interrupted.
func (l *Lake) context() context.Context { return cmp.Or(l.waiter.Context, context.Background()) }

// A Waiter opens lakes for commands that may wait for other processes.
type Waiter struct {
	Context context.Context // ends the waiting; nil means that nothing does
	Tell    func(string)    // receives notices, such as whom a command waits for; may be nil
	Reader  Reader          // answers queries; nil if the command makes none
}

// A Reader answers SQL about the present content of a lake: every base table is a view, and so is
// each SQL model that the query names. The Reader passes the rows to hand, batch by batch. hand
// releases the batches.
type Reader func(ctx context.Context, l *Lake, query string, args []any, hand func(arrow.RecordBatch) error) error

// Temp is the name, within the lake, of a temporary file. name has no slash and begins with the
// name of a unit or folder that the caller holds, so no other process makes a file of that name. If
// this process is killed, a later process removes the file.
func (l *Lake) Temp(name string) string { return journalDir + "/" + name + tempSuffix }
