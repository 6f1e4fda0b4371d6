package engine

import (
	"errors"
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Summary counts the requests of one unit.
type Summary struct {
	Unit     string `json:"unit"`
	Planned  int    `json:"planned"`  // requests of the plan, equal ones counted once
	Recorded int    `json:"recorded"` // planned requests with a reply from before the run
	// recorded requests that failed or were truncated; --retry-failed repeats these requests
	RecordedFailed int `json:"recorded_failed"`
	Answered       int `json:"answered"` // requests asked in this run
	Failed         int `json:"failed"`   // asked requests without a reply
	// asked requests with a reply that ended at the largest number of tokens
	Truncated int `json:"truncated"`
	// replies that could be read, including recorded replies; equal requests count for each item
	Readable   int   `json:"readable"`
	Unreadable int   `json:"unreadable"` // replies that could not be read
	Prompt     int64 `json:"prompt_tokens"`
	Cached     int64 `json:"cached_tokens"`
	Output     int64 `json:"completion_tokens"`
}

// count adds a call of this run.
func (s *Summary) count(c llm.Reply) {
	s.Answered++
	s.Prompt += c.PromptTokens
	s.Cached += c.CachedTokens
	s.Output += c.CompletionTokens
	switch c.State {
	case llm.StateFailed:
		s.Failed++
	case llm.StateTruncated:
		s.Truncated++
	}
}

// tolerated is the share of unreadable replies that needs no note.
const tolerated = 0.05

// note says that unusually many replies of a model could not be read, with an example; empty
// otherwise.
func (s *Summary) note(model, example string) string {
	all := s.Readable + s.Unreadable
	if float64(s.Unreadable) <= tolerated*float64(all) {
		return ""
	}
	return fmt.Sprintf("%d of %d replies of %s could not be read, such as %q: "+
		"they count as wrong; look at them before you trust a score", s.Unreadable, all, model, text.OneLine(example, 60))
}

// A Report is the summary of one unit with its results.
type Report struct {
	Summary
	Stage string `json:"stage"`
	Model string `json:"model"`
	Rows  int    `json:"rows"`            // rows that the unit now has
	Note  string `json:"note,omitempty"`  // message to the user about the unit
	Cause string `json:"cause,omitempty"` // most frequent error of the failed calls

	Pending int `json:"-"` // planned requests without a record that were not asked
}

// commonest is the most frequent error; of equally frequent errors, the first in the alphabet.
func commonest(causes map[string]int) string {
	var cause string
	for c, n := range causes {
		if n > causes[cause] || n == causes[cause] && c < cause {
			cause = c
		}
	}
	return cause
}

// NothingCame returns an error with the commonest cause if the units of a run asked anything and
// every request failed.
func NothingCame(reports []Report) error {
	asked, failed, causes := 0, 0, map[string]int{}
	for _, r := range reports {
		asked += r.Answered
		failed += r.Failed
		causes[r.Cause] += r.Failed
	}
	if asked == 0 || failed < asked {
		return nil
	}
	return data.Errorf("remove the cause, check the servers with captionlake doctor, "+
		"and ask again with: captionlake run --retry-failed",
		"every request failed (%d), most often because: %s", asked, commonest(causes))
}

// resumable adds to the error that ended a run how to continue the run. An error that has a hint
// stays as it is.
func resumable(err error) error {
	var hinted *data.HintError
	if errors.As(err, &hinted) {
		return err
	}
	switch llm.ClassOf(err) {
	case llm.ClassDrained, llm.ClassCanceled:
		return data.WithHint(&interruption{err}, "run the same command again: every reply that came back is kept")
	case llm.ClassAuth:
		return data.WithHint(err,
			"put the right key into the environment variable that key_env names in %s, and run the same command again",
			config.File)
	case llm.ClassNotFound:
		return data.WithHint(err,
			"compare the addresses and models of %s with the servers: captionlake doctor", config.File)
	case llm.ClassUnavailable:
		return data.WithHint(err, "start the servers, look at them with captionlake doctor, "+
			"and run the same command again: every reply that came back is kept")
	}
	return err
}

// interruption replaces the text of the error of an interrupted run: the error of its last call
// says little.
type interruption struct{ cause error }

func (*interruption) Error() string   { return "interrupted" }
func (i *interruption) Unwrap() error { return i.cause }
