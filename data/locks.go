package data

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
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
// end with the process however it ends. The file of an exclusive lock says who has it.
const (
	commitLock = journalDir + "/commit.lock" // exclusive, for the moment of a commit or while another lock is taken or given up
	lakeLock   = journalDir + "/lake.lock"   // shared by those who write to the lake; exclusive while it is merged into another
	unitLocks  = journalDir + "/locks"       // a file for each unit, or folder of the lake, in work: exclusive
	// commitList lists the units that were committed since somebody began to write to the lake.
	commitList = journalDir + "/commits"
)

const (
	// lockMode is that of lock files: no other user of the machine can open one, and so none can keep writers waiting.
	lockMode = 0o600
	// patience is how long the lock of commits is waited for in silence, and also after an interrupt, so that what was finished is
	// committed. A commit takes milliseconds.
	patience = time.Second
	// longestWho bounds what a process may say of itself, in bytes.
	longestWho = 500

	stopHint = "wait until it has finished, or stop it; the lock goes with the process"
)

// ErrLocked is wrapped by the error of what another process has in use: the lake, a unit or one of the lake's folders.
var ErrLocked = errors.New("in use")

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

// whoIs names this process for those who wait for it.
func whoIs(command string, since time.Time) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("captionlake %s (process %d on %s, since %s)", command, os.Getpid(), host, since.UTC().Format(time.RFC3339))
}

// lockFile prepares a lock on a file of the lake, and makes the file.
func (l *Lake) lockFile(name string) (*flock.Flock, error) {
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
func (l *Lake) sign(name string) {
	if l.signer(name) == l.who {
		return
	}
	file, err := l.root.OpenFile(name, os.O_WRONLY, 0) // The lock is that of the file, so it must stay the same one.
	if err == nil {
		_, _ = file.WriteAt([]byte(l.who+"\n"), 0) // Some file systems write a file out at once that was made empty before.
		_ = file.Close()
	}
}

// signer is who has the exclusive lock of a file, as far as that is known.
func (l *Lake) signer(name string) string {
	content, _ := readFile(l.store, name)
	who := strings.ToValidUTF8(string(content[:min(len(content), longestWho)]), "")
	if who, _, _ = strings.Cut(who, "\n"); strings.TrimSpace(who) == "" {
		return "another process"
	}
	return who
}

func (l *Lake) lakeInUse(by string) error {
	return WithHint(fmt.Errorf("%s: the lake is %w by %s", l.dir, ErrLocked, by), stopHint)
}

// enter makes this process one that writes to the lake, beside others or, exclusively, alone. Without others it removes what the dead have
// left.
func (l *Lake) enter(command string, exclusive bool) error {
	l.who = whoIs(command, l.now())
	return l.BetweenCommits(func() error {
		lock, err := l.lockFile(lakeLock)
		if err != nil {
			return err
		}
		alone, err := lock.TryLock()
		if err == nil && alone {
			err = l.sweep()
		}
		switch {
		case err != nil:
		case exclusive && alone:
			l.sign(lakeLock)
		case alone:
			err = lock.RLock() // Nobody takes it in between, for which the lock of commits is needed.
		default:
			var shared bool
			if shared, err = lock.TryRLock(); err == nil && !shared {
				err = l.lakeInUse(l.signer(lakeLock))
			} else if err == nil && exclusive {
				err = l.lakeInUse(l.unitHolder())
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
func (l *Lake) unitHolder() string {
	names, _ := l.store.List(unitLocks)
	for _, name := range names {
		if lock, err := l.lockFile(name); err == nil {
			free, _ := lock.TryLock()
			if _ = lock.Close(); !free {
				return l.signer(name)
			}
		}
	}
	return "another process"
}

// sweep removes what dead processes have left: temporary files, the snapshot, locks of units and the list of commits. Nobody else may be
// writing to the lake.
func (l *Lake) sweep() error {
	names, err := l.store.List(journalDir)
	for _, name := range names {
		if strings.HasSuffix(name, tempSuffix) {
			err = errors.Join(err, l.store.Remove(name))
		}
	}
	l.commits.read = 0
	return errors.Join(err, l.store.Remove(commitList), l.root.RemoveAll(snapshotFolder), l.root.RemoveAll(unitLocks))
}

// leave gives up what a process that wrote to the lake holds. The files of locks stay: another process may have opened them.
func (l *Lake) leave() (err error) {
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
	lock, err := l.lockFile(commitLock)
	if err != nil {
		return err
	}
	if err := l.wait(lock); err != nil {
		return fmt.Errorf("lock %s: %w", l.Path(commitLock), err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	l.sign(commitLock)
	if err := l.catchUp(); err != nil {
		return err
	}
	return f()
}

// wait takes the lock of commits. After a second it says who has it, and then waits until the command is interrupted.
func (l *Lake) wait(lock *flock.Flock) error {
	locked := make(chan error, 1)
	go func() { locked <- lock.Lock() }()
	select {
	case err := <-locked:
		return err
	case <-time.After(patience):
	}
	told := fmt.Sprintf("%s: waiting for %s, which holds %s", l.dir, l.signer(commitLock), commitLock)
	if l.waiter.Tell != nil {
		l.waiter.Tell(told + "; " + stopHint)
	}
	var interrupted <-chan struct{}
	if l.waiter.Context != nil {
		interrupted = l.waiter.Context.Done()
	}
	select {
	case err := <-locked:
		return err
	case <-interrupted:
		go func() { // A lock that comes now is nobody's.
			if <-locked == nil {
				_ = lock.Close()
			}
		}()
		return WithHint(fmt.Errorf("%w: %s", context.Cause(l.waiter.Context), told), stopHint)
	}
}

// A Waiter opens lakes whose commands wait for other processes until Context ends. Tell is told of whom they wait for.
type Waiter struct {
	Context context.Context
	Tell    func(string)
}

// Open is Open for a command that can be interrupted.
func (w Waiter) Open(dir string) (*Lake, error) { return open(dir, w) }

// Edit is Edit for a command that can be interrupted.
func (w Waiter) Edit(dir, who string) (*Lake, error) { return edit(dir, who, w) }

// Create is Create for a command that can be interrupted.
func (w Waiter) Create(dir, who string) (*Lake, error) { return create(dir, who, w) }

// heldPattern is that of what can be held: units, journals and folders.
var heldPattern = regexp.MustCompile(`^[a-z0-9.-]{1,200}$`)

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
			errs = append(errs, l.unlockUnit(name))
		}
		return errors.Join(errs...)
	}
	err = l.BetweenCommits(func() error {
		for _, name := range names {
			if err := l.lockUnit(name); err != nil {
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

func (l *Lake) lockUnit(name string) error {
	if held := l.session.units[name]; held != nil {
		held.times++
		return nil
	}
	file := unitLocks + "/" + name
	lock, err := l.lockFile(file)
	if err != nil {
		return err
	}
	free, err := lock.TryLock()
	if err == nil && !free {
		err = l.inUse(name, l.signer(file))
	}
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	l.sign(file)
	l.session.units[name] = &unitLock{lock, 1}
	return nil
}

func (l *Lake) unlockUnit(name string) error {
	lock := l.session.units[name]
	if lock.times--; lock.times > 0 {
		return nil
	}
	delete(l.session.units, name)
	return errors.Join(l.store.Remove(unitLocks+"/"+name), lock.Close())
}

// known is how many units other processes are known to have committed, for holdAsKnown.
func (l *Lake) known() (n int, err error) {
	err = l.BetweenCommits(func() error { n = len(l.commits.elsewhere); return nil })
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

// Temp is the name, within the lake, of a temporary file. Whoever makes it holds the unit or folder that name begins with, since no other
// process has one of that name then. If the process is killed, a later one removes the file. name has no slash.
func (l *Lake) Temp(name string) string { return journalDir + "/" + name + tempSuffix }

// uniqueTemp is the name of a temporary file that no other process makes.
func (l *Lake) uniqueTemp() string { return l.Temp("put-" + strings.ToLower(rand.Text())) }
