package data

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Several processes write to a lake at a time, each to units of its own. What keeps them apart are locks of the operating system, which
// end with the process however it ends:
//
//	journal/writers/ID   held by the writer ID while it lives; says who it is and which units it has leased
//	journal/commits      held for as long as a commit or a change of leases takes; lists the units that were committed
//
// A lease keeps others from a unit from before it is worked on until it is committed. Temporary files carry the ID of their writer, so that
// those of the dead are told from those of the living. A commit record carries none: it is written and carried out under the lock of
// commits, so whoever has that lock and finds one completes it.
const (
	writersDir  = journalDir + "/writers"
	commitsFile = journalDir + "/commits"

	// readLease is held by a merge that reads the lake: such readers share it, and no writer may be there.
	readLease = "*"
)

// ErrLocked is wrapped by the error of what another process has in use: the lake, a unit or one of the lake's folders.
var ErrLocked = errors.New("in use")

// A session is what an open lake holds of the locks of a writer. Its leases change under the lock of commits.
type session struct {
	id     string
	who    string
	own    *flock.Flock // of the writer's file
	leases map[string]int
}

// A commitLock is this process's side of the lock of commits.
type commitLock struct {
	mu        sync.Mutex // locks of the system do not tell goroutines apart
	snapshot  bool       // it is held for as long as a snapshot is read
	read      int64      // how much of the list of commits is known
	elsewhere []string   // units that other processes have committed since, in their order
}

// flock prepares a lock on a file of the lake, and makes the file, which is its owner's alone: whoever can read it could lock it.
func (l *Lake) flock(name string) (*flock.Flock, error) {
	// The lock is opened by its path, so it is first seen to be in the lake.
	if err := l.root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return nil, err
	}
	file, err := l.root.OpenFile(name, os.O_RDWR|os.O_CREATE, lockMode)
	if err != nil {
		return nil, err
	}
	return flock.New(filepath.Join(l.dir, filepath.FromSlash(name))), file.Close()
}

func (l *Lake) lakeInUse(by string) error {
	return WithHint(fmt.Errorf("%s: the lake is %w by %s", l.dir, ErrLocked, by), "wait until it has finished, or stop it; the lock goes with the process")
}

// enter makes this process a writer of the lake, with leases that it keeps, and removes what dead writers have left.
func (l *Lake) enter(who string, leases ...string) (err error) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	var id [4]byte
	_, _ = rand.Read(id[:]) // It never fails.
	s := &session{
		id: hex.EncodeToString(id[:]), leases: map[string]int{},
		who: fmt.Sprintf("captionlake %s (process %d on %s, since %s)", who, os.Getpid(), host, l.now().UTC().Format(time.RFC3339)),
	}
	for _, name := range leases {
		s.leases[name]++
	}
	l.session = s
	defer func() {
		if err != nil {
			err = errors.Join(err, l.leave())
		}
	}()
	return l.alone(func() error {
		others, err := l.others()
		if err != nil {
			return err
		}
		for _, other := range others {
			if slices.Contains(leases, readLease) != slices.Contains(other.leases, readLease) {
				return l.lakeInUse(other.who)
			}
		}
		if s.own, err = l.flock(writersDir + "/" + s.id); err != nil {
			return err
		}
		if _, err := s.own.TryLock(); err != nil { // Nobody else knows the file yet.
			return err
		}
		if err := l.tellLeases(s); err != nil {
			return err
		}
		if err := l.sweep(append(others, writer{id: s.id})); err != nil {
			return err
		}
		if len(others) == 0 { // Nobody has read a part of the list.
			if err := l.emptyCommits(); err != nil {
				return err
			}
		}
		l.commits.elsewhere = nil
		return nil
	})
}

// leave gives up what a writer holds. Temporary files that it could not remove are removed by the next writer.
func (l *Lake) leave() (err error) {
	s := l.session
	if s == nil {
		return nil
	}
	l.session = nil
	if s.own != nil {
		err = errors.Join(l.store.Remove(writersDir+"/"+s.id), s.own.Close())
	}
	return err
}

// alone runs f while no process commits and no lease changes. Commits that were interrupted are completed before, and what others have
// committed since the last time is noted.
func (l *Lake) alone(f func() error) error {
	release, err := l.takeCommits()
	if err != nil {
		return err
	}
	return errors.Join(f(), release())
}

func (l *Lake) takeCommits() (release func() error, err error) {
	l.commits.mu.Lock()
	lock, err := l.flock(commitsFile)
	if err == nil {
		if err = l.wait(lock); err != nil {
			err = fmt.Errorf("lock %s: %w", l.Path(commitsFile), err)
		} else if err = l.catchUp(); err != nil {
			err = errors.Join(err, lock.Close())
		}
	}
	if err != nil {
		l.commits.mu.Unlock()
		return nil, err
	}
	return func() error {
		defer l.commits.mu.Unlock()
		return lock.Close()
	}, nil
}

// settle waits for a commit that is under way, and completes one that was interrupted.
func (l *Lake) settle() error { return l.alone(func() error { return nil }) }

// Still runs f while no process commits anything, which all others wait for. The lake must be open for writing.
func (l *Lake) Still(f func() error) error {
	if err := l.writable(); err != nil {
		return err
	}
	return l.alone(f)
}

// A writer is what the file of a living writer says.
type writer struct {
	id, who string
	leases  []string
}

// leasePattern is that of what can be leased: units, journals and folders.
var leasePattern = regexp.MustCompile(`^(?:[a-z0-9.-]{1,200}|[` + readLease + `])$`)

// longestWho bounds what a writer may say of itself, in bytes.
const longestWho = 500

// parseWriter reads the file of a writer: who it is, and a line for each lease.
func parseWriter(content []byte) (w writer) {
	first, rest, _ := bytes.Cut(content, []byte("\n"))
	w.who = strings.ToValidUTF8(string(first[:min(len(first), longestWho)]), "")
	if strings.TrimSpace(w.who) == "" {
		w.who = "another process"
	}
	for line := range bytes.Lines(rest) {
		// A line without an end was not written whole.
		if name, whole := strings.CutSuffix(string(line), "\n"); whole && leasePattern.MatchString(name) {
			w.leases = append(w.leases, name)
		}
	}
	return w
}

// tellLeases writes the file of a writer.
func (l *Lake) tellLeases(s *session) error {
	content := []byte(s.who + "\n")
	for _, name := range slices.Sorted(maps.Keys(s.leases)) {
		content = append(append(content, name...), '\n')
	}
	file, err := l.root.OpenFile(writersDir+"/"+s.id, os.O_WRONLY, 0) // The lock is that of the file, so it must stay the same one.
	if err != nil {
		return err
	}
	_, err = file.WriteAt(content, 0)
	return errors.Join(err, file.Truncate(int64(len(content))), file.Close())
}

// others are the other living writers. The files of dead ones, which hold no lock any more, are removed.
func (l *Lake) others() (living []writer, err error) {
	names, err := l.store.List(writersDir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id := path.Base(name)
		if l.session != nil && id == l.session.id {
			continue
		}
		lock, err := l.flock(name)
		if err != nil {
			return nil, err
		}
		dead, err := lock.TryLock()
		if err == nil && dead {
			err = l.store.Remove(name)
		}
		if err := errors.Join(err, lock.Close()); err != nil {
			return nil, err
		}
		if dead {
			continue
		}
		content, err := readFile(l.store, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // It has just left.
		}
		if err != nil {
			return nil, err
		}
		w := parseWriter(content)
		w.id = id
		living = append(living, w)
	}
	return living, nil
}

// Hold keeps other processes from writing units of the lake, by the stems of their files, or one of the lake's folders, until release is
// called or the process ends. It does not wait: while another process holds one of them, its error wraps ErrLocked and names that process.
// The process may hold again what it holds already. The lake must be open for writing.
func (l *Lake) Hold(names ...string) (release func(), err error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	for _, name := range names {
		if !leasePattern.MatchString(name) {
			return nil, fmt.Errorf("%q is not a name that a process can hold", name)
		}
	}
	change := func(by int) error {
		for _, name := range names {
			if l.session.leases[name] += by; l.session.leases[name] == 0 {
				delete(l.session.leases, name)
			}
		}
		return l.tellLeases(l.session)
	}
	err = l.alone(func() error {
		others, err := l.others()
		if err != nil {
			return err
		}
		for _, other := range others {
			for _, name := range names {
				if slices.Contains(other.leases, name) {
					return l.inUse(name, other.who)
				}
			}
		}
		if err := change(1); err != nil {
			return errors.Join(l.writeError(err), change(-1)) // What was told before has its room, and a half of it must not stay.
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() {
		if l.session != nil {
			_ = l.alone(func() error { return change(-1) }) // What cannot be released now is with the end of the process.
		}
	}), nil
}

// known is how many units other processes are known to have committed, for holdAsKnown.
func (l *Lake) known() (n int, err error) {
	err = l.alone(func() error { n = len(l.commits.elsewhere); return nil })
	return n, err
}

// holdAsKnown is Hold for units that were looked at when so many commits of others were known. One that was committed since is an error.
func (l *Lake) holdAsKnown(known int, names ...string) (release func(), err error) {
	if release, err = l.Hold(names...); err != nil {
		return nil, err
	}
	for _, stem := range l.Elsewhere(known) {
		if slices.Contains(names, stem) {
			release()
			return nil, WithHint(fmt.Errorf("%s: another process has just committed the unit %s", l.dir, stem), "run the same command again; nothing was changed")
		}
	}
	return release, nil
}

func (l *Lake) inUse(name, by string) error {
	what := "the unit " + name
	if !stemPattern.MatchString(name) {
		what = "the folder " + name
	}
	return WithHint(fmt.Errorf("%s: %s is %w by %s", l.dir, what, ErrLocked, by), "wait until it has finished, or stop it; everything else can be written meanwhile")
}

// Temp is the name, within the lake, of a temporary file of this process. If the process is killed, the next writer removes the file.
// name has no slash. The lake must be open for writing.
func (l *Lake) Temp(name string) string {
	return journalDir + "/" + name + "." + l.session.id + tempSuffix
}

// ofWriter takes the ID of its writer out of the name of a temporary file or of a snapshot.
var ofWriter = regexp.MustCompile(`(?:^` + snapshotPrefix + `|\.)([0-9a-f]{8})(?:\` + tempSuffix + `)?$`)

// sweep removes the temporary files and snapshots of writers that are dead.
func (l *Lake) sweep(living []writer) error {
	entries, err := fs.ReadDir(l.root.FS(), journalDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if left := e.Type().IsRegular() && strings.HasSuffix(name, tempSuffix) || e.IsDir() && strings.HasPrefix(name, snapshotPrefix); !left {
			continue
		}
		of := ofWriter.FindStringSubmatch(name)
		if of != nil && slices.ContainsFunc(living, func(w writer) bool { return w.id == of[1] }) {
			continue
		}
		if e.IsDir() {
			err = l.root.RemoveAll(journalDir + "/" + name)
		} else {
			err = l.store.Remove(journalDir + "/" + name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
