package engine

import (
	"errors"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// resumable adds to the end of a run how to go on.
func resumable(err error) error {
	var hinted *data.HintError
	if errors.As(err, &hinted) {
		return err
	}
	switch llm.ClassOf(err) {
	case llm.ClassDrained, llm.ClassCanceled:
		return data.WithHint(&interruption{err}, "run the same command again: every reply that came back is kept")
	case llm.ClassAuth:
		return data.WithHint(err, "put the right key into the environment variable that key_env names in %s, and run the same command again", config.File)
	case llm.ClassNotFound:
		return data.WithHint(err, "compare the addresses and models of %s with those that the servers have: captionlake doctor", config.File)
	case llm.ClassUnavailable:
		return data.WithHint(err, "start the servers, look at them with captionlake doctor, and run the same command again: every reply that came back is kept")
	}
	return err
}

// interruption words the end of a run that was told to stop, instead of how the last of its calls ended.
type interruption struct{ cause error }

func (*interruption) Error() string   { return "interrupted" }
func (i *interruption) Unwrap() error { return i.cause }
