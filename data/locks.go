package data

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/captionlake/captionlake/data/files"
)

// Several processes may write to a lake at once, each to its own units. Locks of the operating
// system keep these processes apart. A lock ends with its process, however the process ends. The
// file of an exclusive lock names the process that has the lock.
const (
	commitLock = journalDir + "/commit.lock" // exclusive, during a commit or while another lock is taken or released
	lakeLock   = journalDir + "/lake.lock"   // shared by all writers; exclusive while the lake is merged into another
	unitLocks  = journalDir + "/locks"       // a file for each unit or folder in progress: exclusive

	// patience is how long a process waits silently for the lock of commits. An interrupted process
	// also waits as long, so that finished work is committed. A commit takes milliseconds.
	patience = time.Second
	// lookAgain is the time between two tries for the lock of commits.
	lookAgain = time.Millisecond
	// longestWho bounds the text by which a process describes itself, in bytes.
	longestWho = 500

	stopHint = "wait until it has finished, or stop it; the lock goes with the process"
)

// errBusy is the error of a reader that has waited too long for a commit.
var errBusy = errors.New("a commit is under way")

// cannotWait reports whether err means that a reader cannot wait for the end of commits.
func cannotWait(err error) bool { return cannotWrite(err) || errors.Is(err, errBusy) }

// ErrLocked is wrapped by the error of writing a lake, unit or folder that another process is
// writing.
var ErrLocked = errors.New("in use")

// lockFile prepares a lock on a file of the lake, and makes the file.
func lockFile(l *Lake, name string) (*flock.Flock, error) {
	// The lock opens the file by its path. So the file is made first by root, which refuses a path
	// that leads out of the lake.
	if err := l.root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return nil, err
	}
	file, err := l.root.OpenFile(name, os.O_RDWR|os.O_CREATE, lockMode)
	if err != nil {
		return nil, err
	}
	return flock.New(filepath.Join(l.dir, filepath.FromSlash(name))), file.Close()
}

// sign writes the name of this process into the file of an exclusive lock. Errors do not matter: if
// the disk has no room for the name, the process still has the lock.
func sign(l *Lake, name string) {
	if signer(l, name) == l.who {
		return // The file names this process already.
	}
	file, err := l.root.OpenFile(name, os.O_WRONLY, 0) // The lock belongs to this file, so no new file may replace it.
	if err == nil {
		// The file is not truncated first, because some file systems then write it to the disk at once.
		// The end of a longer old text stays behind the line feed, where signer does not read it.
		_, _ = file.WriteAt([]byte(l.who+"\n"), 0)
		_ = file.Close()
	}
}

// signer names the process that has an exclusive lock, as far as the file of the lock says.
func signer(l *Lake, name string) string {
	content, _ := files.Read(l.store, name)
	who := strings.ToValidUTF8(string(content[:min(len(content), longestWho)]), "")
	if who, _, _ = strings.Cut(who, "\n"); strings.TrimSpace(who) == "" {
		return "another process"
	}
	return who
}

func lakeInUse(l *Lake, by string) error {
	return Errorf(stopHint, "%s: the lake is %w by %s", l.dir, ErrLocked, by)
}

// lockLake registers this process as a writer: as the only writer, if exclusive is set. If no other
// process is a writer, it first removes the files that crashed writers have left.
func lockLake(l *Lake, command string, exclusive bool) error {
	l.who = whoIs(command, l.now())
	return l.BetweenCommits(func() error {
		lock, err := lockFile(l, lakeLock)
		if err != nil {
			return err
		}
		alone, err := lock.TryLock()
		if err == nil && alone {
			err = sweep(l)
		}
		switch {
		case err != nil: // It is returned below.
		case alone && exclusive:
			sign(l, lakeLock)
		case alone:
			err = lock.RLock() // The lock of commits is held, so nobody takes this lock in between.
		default: // There is another writer. If the writer has a shared lock, this process can share it.
			var shared bool
			if shared, err = lock.TryRLock(); err == nil && !shared {
				err = lakeInUse(l, signer(l, lakeLock))
			} else if err == nil && exclusive {
				err = lakeInUse(l, unitHolder(l))
			}
		}
		if err != nil {
			return errors.Join(err, lock.Close())
		}
		l.session = &session{rand.Text(), lock, map[string]*unitLock{}}
		return nil
	})
}

// unitHolder names a process that has the lock of a unit. The writers of a lake share lakeLock, and
// the file of a shared lock names nobody. Errors do not matter: the name is only for a message.
func unitHolder(l *Lake) string {
	names, _ := l.store.List(unitLocks)
	for _, name := range names {
		if lock, err := lockFile(l, name); err == nil {
			free, _ := lock.TryLock() // Close below gives a free lock back.
			if _ = lock.Close(); !free {
				return signer(l, name)
			}
		}
	}
	return "another process"
}

// sweep removes what crashed processes left: temporary files, the snapshot, files of locks and of
// claims, and the list of commits. No other process may be writing to the lake.
func sweep(l *Lake) error {
	names, err := l.store.List(journalDir)
	for _, name := range names {
		if strings.HasSuffix(name, tempSuffix) {
			err = errors.Join(err, l.store.Remove(name))
		}
	}
	return errors.Join(err, l.store.Remove(commitList), l.root.RemoveAll(snapshotFolder), l.root.RemoveAll(unitLocks),
		l.store.Remove(claimFile))
}

// Close ends writing to the lake and releases all locks of this process. The lock files stay, since
// another process may have opened them. Close does nothing to a lake that was opened for reading.
func (l *Lake) Close() (err error) {
	s := l.session
	if s == nil {
		return nil
	}
	l.session = nil
	for _, lock := range s.units {
		err = errors.Join(err, lock.Close())
	}
	return errors.Join(err, s.lake.Close())
}

// BetweenCommits runs f while nobody else commits, or takes or releases the lock of a unit. Other
// processes and goroutines wait until f ends. Before f runs, interrupted commits are completed.
func (l *Lake) BetweenCommits(f func() error) (err error) {
	l.committing.Lock()
	defer l.committing.Unlock()
	lock, err := lockFile(l, commitLock)
	if err != nil {
		return err
	}
	if err := waitForCommits(l, lock); err != nil { // The lock was not taken, and holds no file open.
		return fmt.Errorf("lock %s: %w", l.Path(commitLock), err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	sign(l, commitLock)
	if err := completeCommits(l); err != nil {
		return err
	}
	return f()
}

// waitForCommits takes the lock of commits. A writer that has waited for a second tells the user
// who has the lock, and then waits on until the command is interrupted. A reader gives up after a
// second, because it can read the lake without the lock.
func waitForCommits(l *Lake, lock *flock.Flock) error {
	ctx := l.context()
	// An interrupt does not end this first, short wait.
	soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if _, err := lock.TryLockContext(soon, lookAgain); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, reading := l.store.(committed); reading {
		return Errorf(stopHint, "%w by %s", errBusy, signer(l, commitLock))
	}
	waiting := fmt.Sprintf("%s: waiting for %s, which holds %s", l.dir, signer(l, commitLock), commitLock)
	l.Tell(waiting + "; " + stopHint)
	_, err := lock.TryLockContext(ctx, lookAgain)
	if err != nil && ctx.Err() != nil {
		err = Errorf(stopHint, "%w: %s", context.Cause(ctx), waiting)
	}
	return err
}

// Hold keeps other processes from writing some units or folders of the lake until release is called
// or this process ends. A name is the stem of a unit's files or the name of a folder. Hold does not
// wait: if another process holds one of the names, the error wraps ErrLocked and names that
// process. A process may hold a name several times. The lake must be open for writing.
func (l *Lake) Hold(names ...string) (release func(), err error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	for _, name := range names {
		if !heldPattern.MatchString(name) || strings.Trim(name, ".") == "" { // "." and ".." are folders.
			return nil, fmt.Errorf("%q is not a name that a process can hold", name)
		}
	}
	var taken []string // the names that are locked so far
	unlock := func() error {
		var errs []error
		for _, name := range taken {
			errs = append(errs, unlockUnit(l, name))
		}
		return errors.Join(errs...)
	}
	err = l.BetweenCommits(func() error {
		for _, name := range names {
			if err := lockUnit(l, name); err != nil {
				return errors.Join(l.writeError(err), unlock())
			}
			taken = append(taken, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() {
		if l.session != nil { // Otherwise Close has released the locks.
			_ = l.BetweenCommits(unlock) // If this fails, the lock is released when the process ends.
		}
	}), nil
}

// lockUnit takes the lock of a unit or folder. Its caller holds the lock of commits.
func lockUnit(l *Lake, name string) error {
	if held := l.session.units[name]; held != nil {
		held.times++
		return nil
	}
	file := unitLocks + "/" + name
	lock, err := lockFile(l, file)
	if err != nil {
		return err
	}
	free, err := lock.TryLock()
	if err == nil && !free {
		err = unitInUse(l, name, signer(l, file))
	}
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	sign(l, file)
	l.session.units[name] = &unitLock{lock, 1} // taken once
	return nil
}

// unlockUnit releases the lock of a unit or folder once. The last release removes the lock's file.
// The caller holds the lock of commits, so no other process opens the file while it is removed.
func unlockUnit(l *Lake, name string) error {
	lock := l.session.units[name]
	if lock.times--; lock.times > 0 {
		return nil
	}
	delete(l.session.units, name)
	return errors.Join(l.store.Remove(unitLocks+"/"+name), lock.Close())
}

// unitInUse is the error of a unit or folder that another process is writing; by names the process.
func unitInUse(l *Lake, name, by string) error {
	what := "the unit " + name
	if !stemPattern.MatchString(name) {
		what = "the folder " + name
	}
	return Errorf("wait until it has finished, or stop it; everything else can be written meanwhile",
		"%s: %s is %w by %s", l.dir, what, ErrLocked, by)
}
