package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/captionlake/captionlake/data/files"
)

// Several processes write to a lake at a time, each to units of its own. What keeps them apart are locks of the operating system, which
// end with the process however it ends. The file of an exclusive lock says who has it.
const (
	commitLock = journalDir + "/commit.lock" // exclusive, for the moment of a commit or while another lock is taken or given up
	lakeLock   = journalDir + "/lake.lock"   // shared by those who write to the lake; exclusive while it is merged into another
	unitLocks  = journalDir + "/locks"       // a file for each unit, or folder of the lake, in work: exclusive

)

const (

	// patience is how long the lock of commits is waited for in silence, and also after an interrupt, so that what was finished is
	// committed. A commit takes milliseconds.
	patience = time.Second
	// lookAgain is how long it is until the lock of commits is tried again. A commit takes some milliseconds.
	lookAgain = time.Millisecond
	// longestWho bounds what a process may say of itself, in bytes.
	longestWho = 500

	stopHint = "wait until it has finished, or stop it; the lock goes with the process"
)

// errBusy is the error of a reader that has waited for a commit as long as readers do.
var errBusy = errors.New("a commit is under way")

// cannotWait reports whether an error says that a reader cannot wait until nobody commits.
func cannotWait(err error) bool { return cannotWrite(err) || errors.Is(err, errBusy) }

// ErrLocked is wrapped by the error of what another process has in use: the lake, a unit or one of the lake's folders.
var ErrLocked = errors.New("in use")

// lockFile prepares a lock on a file of the lake, and makes the file.
func lockFile(l *Lake, name string) (*flock.Flock, error) {
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

// sign writes into the file of an exclusive lock who has it. A disk without room for that keeps nobody from the lock.
func sign(l *Lake, name string) {
	if signer(l, name) == l.who {
		return
	}
	file, err := l.root.OpenFile(name, os.O_WRONLY, 0) // The lock is that of the file, so it must stay the same one.
	if err == nil {
		_, _ = file.WriteAt([]byte(l.who+"\n"), 0) // Some file systems write a file out at once that was made empty before.
		_ = file.Close()
	}
}

// signer is who has the exclusive lock of a file, as far as that is known.
func signer(l *Lake, name string) string {
	content, _ := files.Read(l.store, name)
	who := strings.ToValidUTF8(string(content[:min(len(content), longestWho)]), "")
	if who, _, _ = strings.Cut(who, "\n"); strings.TrimSpace(who) == "" {
		return "another process"
	}
	return who
}

func lakeInUse(l *Lake, by string) error {
	return WithHint(fmt.Errorf("%s: the lake is %w by %s", l.dir, ErrLocked, by), stopHint)
}

// enter makes this process one that writes to the lake, beside others or, exclusively, alone. Without others it removes what the dead have
// left.
func enter(l *Lake, command string, exclusive bool) error {
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
		case err != nil:
		case exclusive && alone:
			sign(l, lakeLock)
		case alone:
			err = lock.RLock() // Nobody takes it in between, for which the lock of commits is needed.
		default:
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
		l.session = &session{lake: lock, units: map[string]*unitLock{}}
		l.commits.elsewhere = nil
		return nil
	})
}

// unitHolder is who has the lock of a unit.
func unitHolder(l *Lake) string {
	names, _ := l.store.List(unitLocks)
	for _, name := range names {
		if lock, err := lockFile(l, name); err == nil {
			free, _ := lock.TryLock()
			if _ = lock.Close(); !free {
				return signer(l, name)
			}
		}
	}
	return "another process"
}

// sweep removes what dead processes have left: temporary files, the snapshot, locks, and the list of commits. Nobody else may be
// writing to the lake.
func sweep(l *Lake) error {
	names, err := l.store.List(journalDir)
	for _, name := range names {
		if strings.HasSuffix(name, tempSuffix) {
			err = errors.Join(err, l.store.Remove(name))
		}
	}
	l.commits.read = 0
	return errors.Join(err, l.store.Remove(commitList), l.root.RemoveAll(snapshotFolder), l.root.RemoveAll(unitLocks), l.store.Remove(claimFile))
}

// leave gives up what a process that wrote to the lake holds. The files of locks stay: another process may have opened them.
func leave(l *Lake) (err error) {
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

// BetweenCommits runs f while no process commits anything and no lock of a unit changes hands, which all others wait for. Commits that were
// interrupted are completed before, and what others have committed since the last time is noted.
func (l *Lake) BetweenCommits(f func() error) (err error) {
	l.commits.mu.Lock()
	defer l.commits.mu.Unlock()
	lock, err := lockFile(l, commitLock)
	if err != nil {
		return err
	}
	if err := waitForCommits(l, lock); err != nil {
		return fmt.Errorf("lock %s: %w", l.Path(commitLock), err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	sign(l, commitLock)
	if err := completeCommits(l); err != nil {
		return err
	}
	return f()
}

// waitForCommits takes the lock of commits. After a second a writer says who has it, and then waits until the command is interrupted; a reader
// waits no longer.
func waitForCommits(l *Lake, lock *flock.Flock) error {
	ctx := cmp.Or(l.waiter.Context, context.Background())
	soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if _, err := lock.TryLockContext(soon, lookAgain); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, reading := l.store.(committed); reading {
		return WithHint(fmt.Errorf("%w by %s", errBusy, signer(l, commitLock)), stopHint)
	}
	told := fmt.Sprintf("%s: waiting for %s, which holds %s", l.dir, signer(l, commitLock), commitLock)
	l.Tell(told + "; " + stopHint)
	_, err := lock.TryLockContext(ctx, lookAgain)
	if ctx.Err() != nil {
		err = WithHint(fmt.Errorf("%w: %s", context.Cause(ctx), told), stopHint)
	}
	return err
}

// Elsewhere lists the units that other processes have committed since this one opened the lake, in their order and from the n-th on
// (counted from 0).
func (l *Lake) Elsewhere(n int) ([]string, error) {
	l.commits.mu.Lock()
	read := l.commits.read
	l.commits.mu.Unlock()
	// A unit is listed before it is committed.
	if list, err := l.root.Stat(commitList); err == nil && list.Size() > read {
		if err := l.BetweenCommits(func() error { return nil }); err != nil {
			return nil, err
		}
	}
	l.commits.mu.Lock()
	defer l.commits.mu.Unlock()
	return slices.Clone(l.commits.elsewhere[n:]), nil
}

// Hold keeps other processes from writing units of the lake, by the stems of their files, or one of the lake's folders, until release is
// called or the process ends. It does not wait: while another process holds one of them, its error wraps ErrLocked and names that process.
// The process may hold again what it holds already. The lake must be open for writing.
func (l *Lake) Hold(names ...string) (release func(), err error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	for _, name := range names {
		if !heldPattern.MatchString(name) || strings.Trim(name, ".") == "" {
			return nil, fmt.Errorf("%q is not a name that a process can hold", name)
		}
	}
	var taken []string
	drop := func() error {
		var errs []error
		for _, name := range taken {
			errs = append(errs, unlockUnit(l, name))
		}
		return errors.Join(errs...)
	}
	err = l.BetweenCommits(func() error {
		for _, name := range names {
			if err := lockUnit(l, name); err != nil {
				return errors.Join(l.writeError(err), drop())
			}
			taken = append(taken, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() {
		if l.session != nil {
			_ = l.BetweenCommits(drop) // What cannot be released now is with the end of the process.
		}
	}), nil
}

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
	l.session.units[name] = &unitLock{lock, 1}
	return nil
}

func unlockUnit(l *Lake, name string) error {
	lock := l.session.units[name]
	if lock.times--; lock.times > 0 {
		return nil
	}
	delete(l.session.units, name)
	return errors.Join(l.store.Remove(unitLocks+"/"+name), lock.Close())
}

func unitInUse(l *Lake, name, by string) error {
	what := "the unit " + name
	if !stemPattern.MatchString(name) {
		what = "the folder " + name
	}
	return WithHint(fmt.Errorf("%s: %s is %w by %s", l.dir, what, ErrLocked, by), "wait until it has finished, or stop it; everything else can be written meanwhile")
}
