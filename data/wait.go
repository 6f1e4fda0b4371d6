package data

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockMode is that of lock files: no other user of the machine can open one, and so none can keep writers waiting.
const lockMode = 0o600

// patience is how long the lock of commits is waited for in silence, and also after an interrupt, so that what was finished is
// committed. A commit takes milliseconds.
const patience = time.Second

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

// wait takes the lock of commits. After a second it says who may have it, and then waits until the command is interrupted.
func (l *Lake) wait(lock *flock.Flock) error {
	locked := make(chan error, 1)
	go func() { locked <- lock.Lock() }()
	select {
	case err := <-locked:
		return err
	case <-time.After(patience):
	}
	holders, next := l.holders()
	told := fmt.Sprintf("%s: waiting for %s, which holds %s", l.dir, holders, commitsFile)
	if l.waiter.Tell != nil {
		l.waiter.Tell(told + "; " + next)
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
		return WithHint(fmt.Errorf("%w: %s", context.Cause(l.waiter.Context), told), "%s", next)
	}
}

// holders names the writers of the lake, one of which has the lock of commits, and says what to do about it.
func (l *Lake) holders() (who, next string) {
	others, err := l.others()
	if err != nil || len(others) == 0 {
		return "a process that is no writer of the lake", "find and stop it: fuser " + l.Path(commitsFile)
	}
	names := make([]string, len(others))
	for i, other := range others {
		names[i] = other.who
	}
	return strings.Join(names, " or "), "wait until it has finished, or stop it; the lock goes with the process"
}
