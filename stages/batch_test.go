package stages

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// offlineBatch does what vllm run-batch does with a file: one reply to a line, in order.
func offlineBatch(t *testing.T, server, requests, replies string) {
	t.Helper()
	in := must.Get(os.Open(requests))(t)
	defer in.Close()
	var out bytes.Buffer
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		must.Succeed(t, err)
		var r struct {
			CustomID string          `json:"custom_id"`
			Method   string          `json:"method"`
			URL      string          `json:"url"`
			Body     json.RawMessage `json:"body"`
		}
		if err := json.Unmarshal(line, &r); err != nil || r.Method != "POST" || r.URL != "/v1/chat/completions" &&
			r.URL != "/v1/embeddings" {
			t.Fatalf("%v in the line %.200s", err, line)
		}
		response := must.Get(http.Post(strings.TrimSuffix(server, "/v1")+r.URL, "application/json",
			bytes.NewReader(r.Body)))(t)
		body, err := io.ReadAll(response.Body)
		must.Succeed(t, errors.Join(err, response.Body.Close()))
		out.WriteString(replyLine(t, r.CustomID, response.StatusCode, body))
	}
	must.Write(t, replies, out.Bytes())
}

// replyLine is a line as vLLM writes it: the body of a success, the error of a failure.
func replyLine(t *testing.T, id string, status int, body []byte) string {
	t.Helper()
	line := map[string]any{"id": "vllm-1", "custom_id": id, "error": nil}
	response := map[string]any{"status_code": status, "request_id": "vllm-batch-1", "body": nil}
	if status == http.StatusOK {
		response["body"] = json.RawMessage(body)
	} else {
		line["error"] = json.RawMessage(body)
	}
	line["response"] = response
	content := must.Get(json.Marshal(line))(t)
	return string(content) + "\n"
}

// exportAnswers makes a lake with captions and exports its questions.
func exportAnswers(t *testing.T, selection config.Choice, o batch.Options) (l *data.Lake, c *config.Config,
	server string, manifests []batch.Manifest) {
	t.Helper()
	l = sampleLake(t)
	server = serve(t, l)
	c = rehearsal(server)
	mustRun(t, l, c, captioning)
	selection.Stage = "answer"
	narrowed := c.Narrow(selection)
	manifests = must.Get(exportBatches(l, &narrowed, selection, o))(t)
	return l, c, server, manifests
}

// What comes through files is what comes live, but for the trace of the transport.
func TestBatchGivesWhatALiveRunGives(t *testing.T) {
	for _, protocol := range captionqa.AskProtocols() {
		t.Run(strings.ReplaceAll(protocol, "/", "-"), func(t *testing.T) {
			live := sampleLake(t)
			mustRun(t, live, rehearsal(serve(t, live)),
				config.Choice{Protocol: protocol})

			dir := t.TempDir()
			l, c, server, manifests := exportAnswers(t, config.Choice{Protocol: protocol},
				batch.Options{Dir: dir, MaxRequests: 100})
			if len(manifests) < 2 {
				t.Fatalf("%d files of 100 requests", len(manifests))
			}
			requests := 0
			for _, m := range manifests {
				requests += m.Requests
				content := must.Read(t, filepath.Join(dir, m.File))
				sum := sha256.Sum256(content)
				if m.SHA256 != hex.EncodeToString(sum[:]) || m.Bytes != int64(len(content)) || m.Requests > 100 ||
					m.Model != "rehearsal/reader-careful" {
					t.Errorf("the manifest does not fit its file: %+v", m)
				}
				replies := filepath.Join(dir, m.Replies)
				offlineBatch(t, server, filepath.Join(dir, m.File), replies)
				report, err := importBatch(l, c, replies)
				if err != nil || report.Taken != m.Requests || report.Missing != 0 {
					t.Fatalf("%+v %v", report, err)
				}
				// The second time there is nothing to do.
				report, err = importBatch(l, c, replies)
				if err != nil || report.Taken != 0 || report.Recorded != m.Requests {
					t.Fatalf("%+v %v", report, err)
				}
			}
			if got, want := answerLines(t, l), answerLines(t, live); !slices.Equal(got, want) {
				t.Fatalf("%d answers through files, %d live, or different ones", len(got), len(want))
			}
			noDoubleCalls(t, l)
			// Neither a live run nor another export has anything left to ask.
			for _, r := range mustRun(t, l, c, config.Choice{Stage: "answer", Protocol: protocol}) {
				if r.Answered != 0 || r.Planned != requests {
					t.Errorf("%+v", r)
				}
			}
			narrowed := c.Narrow(config.Choice{Protocol: protocol})
			again, err := exportBatches(l, &narrowed, config.Choice{Protocol: protocol},
				batch.Options{Dir: t.TempDir()})
			if err != nil || len(again) != 0 {
				t.Errorf("%v %v", again, err)
			}
		})
	}
}

// The body of a line is byte for byte what the client sends, pictures included, and the questions
// of a caption stand together.
func TestBatchBodiesAreTheClients(t *testing.T) {
	l := sampleLake(t)
	var mu sync.Mutex
	sent := map[string]bool{}
	server := serve(t, l, rewriting(func(_ string, request, reply []byte) []byte {
		mu.Lock()
		defer mu.Unlock()
		if len(request) > 0 {
			sent[string(request)] = true
		}
		return reply
	}))
	c := rehearsal(server)
	c.Answers.Evidence = []string{captionqa.EvidenceCaption, captionqa.EvidenceImage}
	captions, dir := captioning, t.TempDir()
	exported := map[string]bool{}
	export := func(o config.Choice) {
		manifests := must.Get(exportBatches(l, c, o, batch.Options{Dir: dir}))(t)
		for _, m := range manifests {
			content := must.Read(t, filepath.Join(dir, m.File))
			for line := range strings.Lines(string(content)) {
				_, body, _ := strings.Cut(line, `"body":`)
				exported[strings.TrimSuffix(body, "}\n")] = true
			}
		}
	}
	export(captions)
	mustRun(t, l, c, captions)
	export(answering)
	mustRun(t, l, c, answering)
	if len(sent) == 0 || !maps.Equal(exported, sent) {
		t.Fatalf("%d bodies exported, %d sent, or different ones", len(exported), len(sent))
	}
}

// A file ends before it has more than so many bytes, but has one request at least.
func TestBatchFilesHaveSoManyBytes(t *testing.T) {
	must.Slow(t)
	const most = 10_000
	_, _, _, whole := exportAnswers(t, config.Choice{}, batch.Options{Dir: t.TempDir()})
	_, _, _, manifests := exportAnswers(t, config.Choice{}, batch.Options{Dir: t.TempDir(), MaxBytes: most})
	requests, bytes := 0, int64(0)
	for i, m := range manifests {
		if m.Bytes > most || m.Part != i+1 {
			t.Errorf("the file %d, number %d, has %d bytes", i+1, m.Part, m.Bytes)
		}
		requests, bytes = requests+m.Requests, bytes+m.Bytes
	}
	if len(whole) != 1 || requests != whole[0].Requests || bytes != whole[0].Bytes ||
		int64(len(manifests)) > 2*bytes/most {
		t.Errorf("%d requests of %d bytes in %d files, of %+v", requests, bytes, len(manifests), whole)
	}
	_, _, _, single := exportAnswers(t, config.Choice{}, batch.Options{Dir: t.TempDir(), MaxBytes: 1})
	if len(single) != requests || single[0].Requests != 1 {
		t.Errorf("%d files of %d requests", len(single), requests)
	}
}

// The command that a manifest gives has only flags that vLLM has, and all flags that matter.
func TestBatchCommandFlags(t *testing.T) {
	known := must.Read(t, filepath.Join("deploy", "testdata", "vllm-0.32.0.flags"))
	_, wanted, _ := strings.Cut(string(known), "\nrun-batch:")
	_, _, _, manifests := exportAnswers(t, config.Choice{}, batch.Options{Dir: t.TempDir()})
	command := manifests[0].Command
	for _, word := range command {
		if strings.HasPrefix(word, "--") && !slices.Contains(strings.Fields(wanted), word) {
			t.Errorf("%s is no flag of vllm run-batch", word)
		}
	}
	for _, flag := range []string{"--served-model-name", "--generation-config", "--enable-prefix-caching",
		"--enable-prompt-tokens-details"} {
		if !slices.Contains(command, flag) {
			t.Errorf("the command does not have %s", flag)
		}
	}
}

// damaged exports, answers and damages a batch, and gives the lines of its replies to edit.
func damaged(t *testing.T, edit func(lines []string) []string) (l *data.Lake, c *config.Config, path string,
	report batch.Report, err error) {
	t.Helper()
	dir := t.TempDir()
	l, c, server, manifests := exportAnswers(t, config.Choice{}, batch.Options{Dir: dir})
	path = filepath.Join(dir, manifests[0].Replies)
	offlineBatch(t, server, filepath.Join(dir, manifests[0].File), path)
	content := must.Read(t, path)
	lines := edit(strings.SplitAfter(strings.TrimSuffix(string(content), "\n"), "\n"))
	must.Write(t, path, strings.Join(lines, ""))
	report, err = importBatch(l, c, path)
	return l, c, path, report, err
}

func TestBatchFaultsAreLocatedAndTheRestIsTaken(t *testing.T) {
	stranger := replyLine(t, strings.Repeat("ab", 32)+"-r0", 200, []byte(`{"choices":[]}`))
	refusal := []byte(`{"error":{"message":"This model's maximum context length is 10 tokens.",
		"type":"BadRequestError","code":400}}`)
	_, questions := sampleSize(t)
	l, c, path, report, err := damaged(t, func(lines []string) []string {
		id := func(i int) string {
			var line struct {
				CustomID string `json:"custom_id"`
			}
			must.Succeed(t, json.Unmarshal([]byte(lines[i]), &line))
			return line.CustomID
		}
		lines[0] = replyLine(t, id(0), 400, refusal)                    // an error of vLLM's
		lines[1] = replyLine(t, id(1), 200, []byte(`{"choices":[]}`))   // a reply without a choice
		lines[2] = stranger                                             // of another batch; the third reply is missing
		lines[3] = "not JSON\n"                                         // the fourth reply is missing
		lines[4] = `{"custom_id":"x","body":{"model":"m"}}` + "\n"      // a request
		lines[5] = strings.Replace(lines[5], id(5), "somebody's-id", 1) // not ours
		lines = slices.Insert(lines, 7, lines[6])                       // line 8 of the file repeats line 7
		last := len(lines) - 1
		lines[last] = lines[last][:len(lines[last])/2] // cut off
		return lines
	})
	var faults *batch.Faults
	if !errors.As(err, &faults) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{
		path + ":3: " + strings.Repeat("ab", 32) + "-r0: no request of answer",
		path + ":4: the line is not a reply of a batch",
		path + ":5: the line is a request, not a reply",
		path + `:6: "somebody's-id": no export wrote this custom_id`,
		path + ":8: ",
		": the line is cut off",
		path + ": 5 of ",
	} {
		expect.Contains(t, err.Error(), want)
	}
	if len(faults.All) != 7 || report.Missing != 5 || report.Failed != 2 || report.Taken != report.Requests-5 {
		t.Fatalf("%+v\n%s", report, err)
	}
	failed := map[string]bool{}
	for _, call := range laketest.All(t, l, data.Calls) {
		if call.State == llm.StateFailed {
			failed[call.Error] = true
		}
	}
	if !failed["context-length (HTTP 400): This model's maximum context length is 10 tokens."] || len(failed) != 2 {
		t.Errorf("the failed calls say %v", failed)
	}
	// Importing once more takes nothing and finds the same faults.
	report, err = importBatch(l, c, path)
	if !errors.As(err, &faults) || report.Taken != 0 || report.Missing != 5 || len(faults.All) != 7 {
		t.Fatalf("%+v %v", report, err)
	}
	// The five that are missing are asked by the next run, the two that failed when it is told to.
	reports := mustRun(t, l, c, answering)
	if len(reports) != 1 || reports[0].Answered != 5 || reports[0].Rows != questions {
		t.Fatalf("%+v", reports)
	}
	// Then nothing of the file is missing any more.
	if report, err = importBatch(l, c, path); !errors.As(err, &faults) || report.Missing != 0 || len(faults.All) != 6 {
		t.Fatalf("%+v %v", report, err)
	}
	narrowed := c.Narrow(config.Choice{})
	manifests, err := exportFailed(l, &narrowed, answering, batch.Options{Dir: t.TempDir()})
	if err != nil || len(manifests) != 1 || manifests[0].Requests != 2 {
		t.Fatalf("%+v %v", manifests, err)
	}
	noDoubleCalls(t, l)
}

func TestBatchNeedsItsManifestAndUnit(t *testing.T) {
	dir := t.TempDir()
	l, c, _, manifests := exportAnswers(t, config.Choice{}, batch.Options{Dir: dir})
	for path, want := range map[string]string{
		filepath.Join(dir, "out.jsonl"):             "the batch is unknown",
		filepath.Join(dir, manifests[0].File):       "the file holds requests, not replies",
		filepath.Join(dir, "other.replies.jsonl"):   "the manifest of",
		filepath.Join(dir, manifests[0].Replies):    "no such file",
		filepath.Join(dir, "nowhere.replies.jsonl"): "the manifest of",
	} {
		expect.Refusal(importBatch(l, c, path))(t, want)
	}
	other := rehearsal("http://127.0.0.1:1/v1")
	other.Answers.Readers = []string{"rehearsal/reader-eager"}
	path := filepath.Join(dir, manifests[0].Replies)
	expect.Refusal(importBatch(l, other, path))(t, "no longer have the unit")
}

// An engine that ignored the constraint gives no constrained answers: the probe in the file tells.
func TestBatchConstraintProbe(t *testing.T) {
	dir := t.TempDir()
	l, c, _, manifests := exportAnswers(t, config.Choice{Protocol: captionqa.ProtocolConstrained},
		batch.Options{Dir: dir})
	ignores := must.Get(rehearsalserver.ParseFaults("ignore-choice=100%"))(t)
	path := filepath.Join(dir, manifests[0].Replies)
	offlineBatch(t, serveAs(t, l, rehearsalserver.Options{Faults: ignores}),
		filepath.Join(dir, manifests[0].File), path)
	before := callsIn(t, l)
	for range 2 {
		expect.Refusal(importBatch(l, c, path))(t, "is refused")
		// Without the probe there is no telling either.
		content := must.Read(t, path)
		_, rest, _ := strings.Cut(string(content), "\n")
		must.Write(t, path, rest)
	}
	must.Equal(t, callsIn(t, l), before)
}
