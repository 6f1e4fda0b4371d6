package data

import (
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

const layout = 3 // of the lakes that this version reads and writes

var marker = fmt.Sprintf("captionlake lake, layout %d\n", layout)

// ErrNotALake is wrapped by the error of opening a folder that is no lake.
var ErrNotALake = errors.New("not a lake")

// ErrOtherLayout is wrapped by the error of opening a lake whose layout is of an earlier or a later version.
var ErrOtherLayout = errors.New("the lake was written by another captionlake")

// A Lake is an open lake. Any number of processes may read it and write to it; one at a time writes a unit.
type Lake struct {
	store   files.Store
	root    *os.Root
	dir     string
	name    string // what errors call it; dir when empty
	now     func() time.Time
	session *session // nil unless the lake is open for writing
	who     string   // this process, for those who wait for it
	commits commitState
	link    func(name, second string) error

	waiter Waiter
	bounds knownBounds

	mu      sync.Mutex
	notices []string
}

// Dir is the lake's folder, as it was given.
func (l *Lake) Dir() string { return l.dir }

// Store gives access to the lake's files by name.
func (l *Lake) Store() files.Store { return l.store }

// Path returns where in the file system a file of the lake is.
func (l *Lake) Path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

// LocalPath is Path for a name that comes out of a table, such as that of a picture: one that leads out of the lake is an
// error.
func (l *Lake) LocalPath(name string) (string, error) {
	_, err := l.root.Stat(filepath.FromSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		err = errors.New("it leads out of the lake")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", WithHint(fmt.Errorf("%s: the name %q in a table is not that of a file of the lake: %w", l.dir, name, err),
			"the lake is damaged or not to be trusted; load the file that has the name again")
	}
	return l.Path(name), nil
}

// Notices returns what the user should know of the lake and what is not an error, such as what was cut out of a journal. Each
// is returned once.
func (l *Lake) Notices() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	notices := l.notices
	l.notices = nil
	return notices
}

func (l *Lake) notice(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notices = append(l.notices, text)
}

// openRoot opens the folder of a lake. Nothing that is done in it by name leaves it.
func openRoot(dir string) (*Lake, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, folderError(dir, err)
	}
	return &Lake{store: files.In(root), root: root, dir: dir, now: time.Now, link: root.Link, who: whoIs("reading", time.Now())}, nil
}

// folderError gives the error of a folder that cannot be what --lake says its next step.
func folderError(dir string, err error) error {
	info, statErr := os.Stat(dir)
	switch {
	case statErr == nil && !info.IsDir():
		return WithHint(fmt.Errorf("%s: %w: it is a file", dir, ErrNotALake), "name a folder with --lake")
	case errors.Is(err, fs.ErrNotExist):
		return WithHint(fmt.Errorf("%s: %w", dir, ErrNotALake),
			"name the lake's folder with --lake, or make one with: captionlake init --lake %s", dir)
	case errors.Is(err, syscall.ENOTDIR):
		return WithHint(fmt.Errorf("%s: %w: a part of the path is a file", dir, ErrNotALake), "name a folder with --lake")
	case cannotWrite(err):
		return WithHint(fmt.Errorf("%s: %w", dir, err), "check the folder's permissions, or name another with --lake")
	}
	return err
}

// cannotWrite reports whether an error says that the lake's folder is not to be written: a read-only file system, a full one, or
// permissions.
func cannotWrite(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// writeError gives the error of writing to a lake that cannot be written its next step.
func (l *Lake) writeError(err error) error {
	if !cannotWrite(err) {
		return err
	}
	return WithHint(fmt.Errorf("%s: the lake cannot be written: %w", l.dir, err),
		"check its permissions, the file system and the room on it, or work on a copy; sql, status, compare and report -o DIR only read it")
}

var markerPattern = regexp.MustCompile(`^captionlake lake, layout ([1-9][0-9]{0,8})\n$`)

// checkMarker reads the lake's marker. Its error wraps ErrNotALake or ErrOtherLayout when the folder is not to be touched.
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
		return WithHint(fmt.Errorf("%s: %w: its file %s does not say which layout it has", l.dir, ErrNotALake, markerFile),
			"if it is a lake of this version, its file %s has one line: %s", markerFile, strings.TrimSpace(marker))
	}
	if n, err := strconv.Atoi(string(parsed[1])); err != nil || n != layout {
		return WithHint(fmt.Errorf("%s: %w: its layout is %s, this one knows %d", l.dir, ErrOtherLayout, parsed[1], layout),
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

// PutFile writes a small file of the lake atomically. A file that already holds the same bytes is left alone. The lake must be open for
// writing.
func (l *Lake) PutFile(name string, content []byte) error {
	if old, err := files.Read(l.store, name); err == nil && string(old) == string(content) {
		return nil
	}
	if err := l.writable(); err != nil {
		return err
	}
	temp := uniqueTemp(l)
	if err := files.Write(l.store, temp, content); err != nil {
		return err
	}
	return l.store.Move(temp, name)
}

// whoIs names this process for those who wait for it.
func whoIs(command string, since time.Time) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("captionlake %s (process %d on %s, since %s)", command, os.Getpid(), host, since.UTC().Format(time.RFC3339))
}

// A session is what a lake that is open for writing holds of the locks.
type session struct {
	lake  *flock.Flock
	units map[string]*unitLock // they change under the lock of commits
}

// A unitLock is held until it was released as often as it was taken.
type unitLock struct {
	*flock.Flock
	times int
}

// commitState is what a process knows of the commits of others.
type commitState struct {
	mu        sync.Mutex // locks of the system do not tell goroutines apart
	read      int64      // how much of the list of commits is known
	elsewhere []string   // units that other processes have committed since, in their order
}

// Tell tells whoever opened the lake of something that a command waits for.
func (l *Lake) Tell(text string) {
	if l.waiter.Tell != nil {
		l.waiter.Tell(text)
	}
}

// interrupted is the error of a command that was interrupted.
func (l *Lake) interrupted() error {
	if l.waiter.Context == nil {
		return nil
	}
	return l.waiter.Context.Err()
}

// A Waiter opens lakes whose commands wait for other processes until Context ends. Tell is told of whom they wait for, and Reader answers
// their queries.
type Waiter struct {
	Context context.Context
	Tell    func(string)
	Reader  Reader
}

// A Reader answers SQL about what a lake holds now: every base table is a view, and so is each SQL model that the query names. It hands
// the rows to a function, batch by batch, which releases them.
type Reader func(ctx context.Context, l *Lake, query string, args []any, hand func(arrow.RecordBatch) error) error

// Temp is the name, within the lake, of a temporary file. Whoever makes it holds the unit or folder that name begins with, since no other
// process has one of that name then. If the process is killed, a later one removes the file. name has no slash.
func (l *Lake) Temp(name string) string { return journalDir + "/" + name + tempSuffix }

// uniqueTemp is the name of a temporary file that no other process makes.
func uniqueTemp(l *Lake) string { return l.Temp("put-" + strings.ToLower(rand.Text())) }
