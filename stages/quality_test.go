package stages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
)

// A batch that was run under another model's name, or without the right key, has no replies:
// nothing is recorded, and what the right run brings is taken.
func TestBatchOfTheWrongNameHasNoReplies(t *testing.T) {
	var sound []string
	id := func(line string) string {
		var l struct {
			CustomID string `json:"custom_id"`
		}
		must.Succeed(t, json.Unmarshal([]byte(line), &l))
		return l.CustomID
	}
	l, c, path, report, err := damaged(t, func(lines []string) []string {
		sound = append(sound, lines...)
		for i, line := range lines {
			lines[i] = replyLine(t, id(line), http.StatusNotFound,
				[]byte(`{"error":{"message":"The model `+"`rehearsal/reader-careful`"+
					` does not exist. Valid aliases: models/text.","type":"NotFoundError","param":"model","code":404}}`))
		}
		return lines
	})
	laketest.Hint(t, err, "--served-model-name rehearsal/reader-careful",
		fmt.Sprintf("Valid aliases: models/text.; this and %d other lines are not replies", len(sound)-1))
	if report.Taken != 0 || report.Failed != 0 || report.Missing != len(sound) {
		t.Errorf("%+v", report)
	}
	for _, call := range laketest.All(t, l, data.Calls) {
		if call.Stage == "answer" {
			t.Fatalf("recorded: %+v", call)
		}
	}
	write := func(edit func(i int, line string) string) (batch.Report, error) {
		var all strings.Builder
		for i, line := range sound {
			all.WriteString(edit(i, line))
		}
		must.Write(t, path, all.String())
		return importBatch(l, c, path)
	}
	// Another model's replies, a failure, then a cut-off reply in its place, then what is whole.
	other := func(i int, line string) string {
		return strings.Replace(line, `"model":"rehearsal/reader-careful"`, `"model":"rehearsal/other"`, 1)
	}
	expect.Refusal(write(other))(t, "rehearsal/other")
	cut := replyLine(t, id(sound[0]), 200,
		[]byte(`{"choices":[{"message":{"content":"A"},"finish_reason":"length"}],"usage":{"completion_tokens":2}}`))
	for i, first := range []string{
		replyLine(t, id(sound[0]), 500, []byte(`{"error":{"message":"boom"}}`)), cut, replyLine(t, id(sound[0]), 500,
			[]byte(`"boom"`)), sound[0], cut,
	} {
		report, err := write(func(i int, line string) string {
			if i == 0 {
				return first
			}
			return line
		})
		if taken := []int{len(sound), 1, 0, 1, 0}[i]; err != nil || report.Taken != taken {
			t.Errorf("step %d: %+v %v", i, report, err)
		}
		states := map[string]int{}
		for _, call := range laketest.All(t, l, data.Calls) {
			if call.Stage == "answer" {
				states[call.State]++
			}
		}
		if want := []string{"failed", "truncated", "truncated", "ok", "ok"}[i]; states[want] == 0 || want != "ok" &&
			states[want] != 1 || want == "ok" && len(states) != 1 {
			t.Errorf("step %d: %v, want %s", i, states, want)
		}
	}
}
