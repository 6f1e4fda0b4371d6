package arena

import (
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

// The prompt is Figure 8: seven guidelines, the two lines of the response, and not the guideline
// about length of Figure 7.
func TestJudgeSystem(t *testing.T) {
	text := JudgeSystem(false)
	expect.Contains(t, text,
		"You are a highly capable multimodal AI assistant tasked with evaluating image captions.\n\nGiven an image and "+
			"two candidate captions, you are required to determine",
		"\n\n1. **Precision**: The caption should accurately correspond",
		"\n\n4. **Attention to detail**: Annotators should",
		"\n\n7. **Ties are acceptable**: If you find it genuinely difficult",
		"make **subjective judgments** based on",
		"Reason: <your thoughts and reasoning process for the judgment>\nJudgment: <Caption 1 is better>/<Caption 2 is "+
			"better>/<Tie>",
	)
	if strings.Contains(text, captionLength) || strings.Contains(text, "8. ") || len(Guidelines()) != 8 {
		t.Error("the guidelines are not those of Figures 7 and 8")
	}
	if with := JudgeSystem(true); !strings.Contains(with, "\n\n8. **Reference caption**: ") || len(with) <= len(text) {
		t.Error("a judge that gets the human caption is not told what it is for")
	}
}

func TestJudgeUser(t *testing.T) {
	if text := JudgeUser("one", "two", ""); !strings.HasPrefix(text,
		"Caption 1:\none\n\nCaption 2:\ntwo\n\nDetermine") {
		t.Errorf("%q", text)
	}
	if text := JudgeUser("one", "two", "three"); !strings.HasPrefix(text,
		"Reference caption:\nthree\n\nCaption 1:\none\n") {
		t.Errorf("%q", text)
	}
}

// The six accepted texts, and texts that are not accepted.
func TestReadJudgment(t *testing.T) {
	for text, want := range map[string]Judgment{
		"Caption 1 is better": First, "Caption 1 is better.": First, "Caption 2 is better": Second,
		"Caption 2 is better.": Second, "Tie": Tie, "Tie.": Tie,
		"": Unparsed, "tie": Unparsed, "Tie ": Unparsed, "Caption 1": Unparsed, "caption 1 is better": Unparsed,
		"Caption 1 is better!":  Unparsed,
		"<Caption 1 is better>": Unparsed, "Caption 1 is better..": Unparsed, "Caption 3 is better": Unparsed,
		"equal": Unparsed,
	} {
		expect.Equal(t, ReadJudgment(text), want)
	}
}

func TestReadReply(t *testing.T) {
	tests := []struct {
		reply, reason string
		want          Judgment
		err           string
	}{
		{"Reason: It is precise.\nJudgment: Caption 2 is better", "It is precise.", Second, ""},
		{"Reason: It is\n\nprecise.  \n\nJudgment:\n  Tie.\n", "It is\n\nprecise.", Tie, ""},
		{"Reason: It is precise. Judgment: <Caption 1 is better>", "It is precise.", First, ""},
		{"<think>Judgment: Tie</think>Reason: r\nJudgment: Caption 1 is better.", "r", First, ""},
		{"Reason: r\nJudgment: Tie\nJudgment: Tie", "r", Tie, ""},
		{"Reason: r\nJudgment: Tie\nThis was hard.", "r", Tie, ""},
		{"Reason: r\nJudgment: Tie\nJudgment: Caption 1 is better", "r", Unparsed, "contradict"},
		{"Reason: r\nJudgment: Caption 1", "r", Unparsed, `is "Caption 1" instead`},
		{"Reason: r\nJudgment: <Caption 1 is better>/<Caption 2 is better>/<Tie>", "r", Unparsed, "instead"},
		{"Reason: r\nJudgment:", "r", Unparsed, `is "" instead`},
		{"**Reason:** r\n**Judgment:** Tie", "** r\n**", Unparsed, "instead"},
		{"Reason: Caption 1 is better", "Caption 1 is better", Unparsed, "no line Judgment:"},
		{"Judgment: Tie", "", Unparsed, "no reason"},
		{"Reason:\nJudgment: Tie", "", Unparsed, "no reason"},
		{"Caption 1 is better", "", Unparsed, "no line Judgment:"},
		{"", "", Unparsed, "no line Judgment:"},
	}
	for _, c := range tests {
		reason, j, err := ReadReply(c.reply)
		if reason != c.reason || j != c.want || (err == nil) != (c.err == "") || err != nil &&
			!strings.Contains(err.Error(), c.err) {
			t.Errorf("%q is read as %q, %d, %v", c.reply, reason, j, err)
		}
	}
}

// Whatever a model says, a judgment is read only from one of the accepted texts, with a reason, and
// never with an error.
func FuzzReadReply(f *testing.F) {
	for _, seed := range []string{
		"Reason: r\nJudgment: Tie", "Reason: r\nJudgment: <Caption 1 is better>", "Judgment: Tie\nReason: r",
		"</think>Reason:Judgment:Judgment:",
		"Reason: Judgment: Reason: Judgment: Caption 2 is better.", "Judgment: <", "Reason: \x00\xff\nJudgment: >Tie<",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		if len(reply) > 1<<16 {
			return
		}
		reason, j, err := ReadReply(reply)
		if (err == nil) != (j != Unparsed) {
			t.Fatalf("%q: judgment %d and error %v", reply, j, err)
		}
		if reason != strings.TrimSpace(reason) || strings.Contains(reason, judgmentMark) {
			t.Fatalf("%q: the reason is %q", reply, reason)
		}
		if err == nil &&
			(reason == "" ||
				!strings.Contains(reply,
					map[Judgment]string{First: "Caption 1 is better", Second: "Caption 2 is better", Tie: "Tie"}[j])) {
			t.Fatalf("%q is read as %d for %q", reply, j, reason)
		}
	})
}

// The outcome is about the battle, wherever its captions were shown.
func TestWinner(t *testing.T) {
	tests := []struct {
		position Position
		judgment Judgment
		want     string
	}{
		{PositionAB, First, WinnerA}, {PositionAB, Second, WinnerB}, {PositionBA, First, WinnerB}, {PositionBA,
			Second, WinnerA},
		{PositionAB, Tie, WinnerTie}, {PositionBA, Tie, WinnerTie}, {PositionAB, Unparsed, WinnerUnparsed}, {PositionBA,
			Unparsed, WinnerUnparsed},
	}
	for _, c := range tests {
		expect.Equal(t, c.position.Winner(c.judgment), c.want, c.position)
	}
	if first, second := PositionBA.Shown("a", "b"); first != "b" || second != "a" || PositionBA.Other() != PositionAB ||
		PositionAB.Other() != PositionBA {
		t.Error("the second order is not the reverse of the first")
	}
}

// Both orders are drawn about equally often, anew under another seed or for another annotator, and
// alike for ever: the expected values were computed once with md5sum.
func TestOrderOf(t *testing.T) {
	const n = 10000
	ba, moved := 0, 0
	for i := range n {
		id := fmt.Sprintf("test_%05d/x", i)
		if OrderOf(1, id) == PositionBA {
			ba++
		}
		if OrderOf(1, id) != OrderOf(2, id) {
			moved++
		}
	}
	for _, got := range []int{ba, moved} {
		expect.Between(t, got, 4800, 5200) // four standard deviations, of √n / 2 each
	}
	// md5 of "1\0test_1.jpg/x" begins with 33, the md5 of "1\0x\0alice" with d6: the highest bit
	// decides.
	if OrderOf(1, "test_1.jpg/x") != PositionAB || OrderOf(1, "x", "alice") != PositionBA {
		t.Error("the order is not drawn from md5")
	}
	if OrderOf(1, "x", "alice") == OrderOf(1, "x", "bob") && OrderOf(1, "y", "alice") == OrderOf(1, "y", "bob") &&
		OrderOf(1, "z", "alice") == OrderOf(1, "z", "bob") {
		t.Error("annotators share their order")
	}
}

// A battle has one name, whichever caption comes first; another text, benchmark or repetition is
// another battle.
func TestPairID(t *testing.T) {
	p := Pair{Benchmark: "b", ImageID: "test_1.jpg", CaptionerA: "m1", CaptionA: "one", CaptionerB: "m2",
		CaptionB: "two"}
	id := p.ID()
	q := p
	q.CaptionerA, q.CaptionA, q.CaptionerB, q.CaptionB = p.CaptionerB, p.CaptionB, p.CaptionerA, p.CaptionA
	if id != q.ID() || !strings.HasPrefix(id, "test_1.jpg/") || len(id) != len("test_1.jpg/")+16 {
		t.Errorf("the battle has two names, or not that of its image: %s, %s", id, q.ID())
	}
	for name, change := range map[string]func(*Pair){
		"benchmark": func(p *Pair) { p.Benchmark = "c" }, "image": func(p *Pair) { p.ImageID = "test_2.jpg" },
		"captioner": func(p *Pair) { p.CaptionerB = "m3" }, "text": func(p *Pair) { p.CaptionB = "three" },
		"texts exchanged": func(p *Pair) { p.CaptionA, p.CaptionB = p.CaptionB, p.CaptionA },
		"repetition":      func(p *Pair) { p.Repetition = 1 },
	} {
		other := p
		if change(&other); other.ID() == id {
			t.Errorf("with another %s it is called %s, too", name, id)
		}
	}
	same := Pair{ImageID: "i", CaptionerA: "m", CaptionA: "x", CaptionerB: "m", CaptionB: "y"}
	turned := Pair{ImageID: "i", CaptionerA: "m", CaptionA: "y", CaptionerB: "m", CaptionB: "x"}
	expect.Equal(t, same.ID(), turned.ID(), "two captions of one captioner have two names")
}
