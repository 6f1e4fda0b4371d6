package textmetrics

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	expect.Between(t, got, want-within, want+within, what)
}

// words splits without any other rule, as the published examples are given.
func words(text string) []string { return strings.Fields(text) }

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A man doesn't ride: the dog's well-known, 3.5-metre bike (in 1,000 " +
			"parts).": "a|man|does|n't|ride|the|dog|'s|well-known|3.5-metre|bike|in|1,000|parts",
		"**Mural:** \"BLACK ASH\" — black/white.At 10:30 o’clock...": "mural|black|ash|black|white|at|10:30|o'clock",
		"They're we've I'll he'd I'm can't 's":                       "they|'re|we|'ve|i|'ll|he|'d|i|'m|ca|n't|s",
		"Ein Schaf übt, 50% € #1":                                    "ein|schaf|übt|50|1",
		"一只猫 cat猫":                                                   "一|只|猫|cat|猫",
		"":                                                           "",
		" -- ... !?":                                                 "",
		"\xff\xfea\xffb":                                             "a|b",
		"-a- 'b' .c.":                                                "a|b|c",
	} {
		expect.Equal(t, strings.Join(Tokens(text), "|"), want)
	}
	expect.Equal(t, Words(" two\twords \n"), 2, "words are not what white space separates")
}

// Papineni et al. 2002, examples 1 and 2 and sections 2.1 and 2.2: modified precisions 2/7; 17/18
// and 8/14; 10/17 and 1/13.
func TestModifiedPrecision(t *testing.T) {
	t.Parallel()
	guide := [][]string{
		Tokens("It is a guide to action that ensures that the military will forever heed Party commands."),
		Tokens("It is the guiding principle which guarantees the military forces always being under the command of the " +
			"Party."),
		Tokens("It is the practical guide for the army always to heed the directions of the party."),
	}
	mat := [][]string{Tokens("The cat is on the mat."), Tokens("There is a cat on the mat.")}
	for _, c := range []struct {
		candidate      string
		references     [][]string
		n              int
		matched, total int
	}{
		{"the the the the the the the.", mat, 1, 2, 7},
		{"the the the the the the the.", mat, 2, 0, 6},
		{"It is a guide to action which ensures that the military always obeys the commands of the party.",
			guide, 1, 17, 18},
		{"It is to insure the troops forever hearing the activity guidebook that party direct.", guide, 1, 8, 14},
		{"It is a guide to action which ensures that the military always obeys the commands of the party.",
			guide, 2, 10, 17},
		{"It is to insure the troops forever hearing the activity guidebook that party direct.", guide, 2, 1, 13},
	} {
		if m, n := clipped(Tokens(c.candidate), c.references, c.n); m != c.matched || n != c.total {
			t.Errorf("%d-grams of %q: %d/%d, want %d/%d", c.n, c.candidate, m, n, c.matched, c.total)
		}
	}
}

// p1 = 2/3, p2 = (1+1)/(2+1), p3 = (0+1)/(1+1), p4 = (0+1)/(0+1); the fourth root of their product,
// 2/9, is 0.686589. A candidate of two words against three: p1 = 2/2, p2 = 2/2, no more n-grams,
// and the penalty e^(1-3/2) = 0.606531.
func TestSentenceBLEU(t *testing.T) {
	t.Parallel()
	guide := words("It is a guide to action that ensures that the military will forever heed Party commands")
	near(t, "NLTK's example",
		bleu4(words("It is a guide to action which ensures that the military always obeys the commands of the party"),
			[][]string{guide}), 0.4452, 0.0001)
	near(t, "BLEU-4", bleu4(words("a red cat"), [][]string{words("a red boat")}), 0.686589, 1e-6)
	near(t, "BLEU-4 of a short caption", bleu4(words("a red"), [][]string{words("a red boat")}), 0.606531, 1e-6)
	near(t, "BLEU-4 without a common word", bleu4(words("x"), [][]string{words("a red boat")}), 0, 0)
}

// Lin 2004, section 3.1: against "police killed the gunman", "police kill the gunman" has 3/4, and
// "the gunman kill police" and "the gunman police killed" have 2/4; candidate and reference are of
// one length, so that any beta gives the same. By hand: a b c d against a c has P = 2/4, R = 2/2
// and F = 2.44 * 0.5 / (1 + 1.44 * 0.5) = 0.709302; of two references the better P and the better R
// count.
func TestROUGEL(t *testing.T) {
	t.Parallel()
	gunman := [][]string{words("police killed the gunman")}
	near(t, "S2", rougeL(words("police kill the gunman"), gunman), 0.75, 1e-12)
	near(t, "S3", rougeL(words("the gunman kill police"), gunman), 0.5, 1e-12)
	near(t, "S4", rougeL(words("the gunman police killed"), gunman), 0.5, 1e-12)
	near(t, "P 1/2, R 1", rougeL(words("a b c d"), [][]string{words("a c")}), 0.709302, 1e-6)
	near(t, "two references", rougeL(words("a b c d"), [][]string{words("a c"), words("a b c d e f g h")}), 1, 1e-12)
}

// The bit-parallel length agrees with the table of the textbook, over lengths about the size of a
// machine word.
func TestCommonSubsequence(t *testing.T) {
	t.Parallel()
	plain := func(a, b []string) int {
		row := make([]int, len(b)+1)
		for _, x := range a {
			last := 0
			for j, y := range b {
				was := row[j+1]
				if x == y {
					row[j+1] = last + 1
				} else {
					row[j+1] = max(row[j+1], row[j])
				}
				last = was
			}
		}
		return row[len(b)]
	}
	seed := uint32(1)
	text := func(n, alphabet int) []string {
		out := make([]string, n)
		for i := range out {
			seed = seed*1664525 + 1013904223
			out[i] = string(rune('a' + int(seed>>16)%alphabet))
		}
		return out
	}
	for _, n := range []int{0, 1, 5, 63, 64, 65, 127, 128, 200} {
		for _, m := range []int{0, 1, 64, 130} {
			for _, alphabet := range []int{1, 2, 26} {
				a, b := text(n, alphabet), text(m, alphabet)
				expect.Equal(t, commonSubsequence(a, b), plain(a, b), n, "and", m, "of", alphabet)
			}
		}
	}
}

// Two images, so that a word of one has the weight L = ln 2, one of both 0, and one of none L.
//
//	a red cat: 1-grams L²/(√2L)² = 1/2 (red of red, cat and red, boat), 2-grams 1/2,
//	  3-grams 0, no 4-grams: 10 * 1 / 4 = 2.5
//	red boat: 1-grams 1, 2-grams L²/(L √2L) = 0.707107; one bigram less: e^(-1/72);
//	  10 * 1.707107 * 0.986207 / 4 = 4.208903
//	red red boat: 1-grams (L² + L²)/(√5L √2L) = 0.632456, red counting once;
//	  2-grams 1/2; 10 * 1.132456 / 4 = 2.831139
//	a red boat: 1 for three kinds of n-grams, and no 4-grams: 7.5
func TestCIDEr(t *testing.T) {
	t.Parallel()
	c := NewCorpus()
	c.Add(words("a red boat"))
	expect.Equal(t, c.CIDEr(words("a red boat"), [][]string{words("a red boat")}), 0,
		"in a corpus of one image a caption has")
	c.Add(words("a grey cat"))
	for text, want := range map[string]float64{"a red cat": 2.5, "red boat": 4.208903, "red red boat": 2.831139,
		"a red boat": 7.5, "": 0, "a": 0} {
		near(t, text, c.CIDEr(words(text), [][]string{words("a red boat")}), want, 1e-6)
	}
	near(t, "the mean over references",
		c.CIDEr(words("a red boat"), [][]string{words("a red boat"), words("a grey cat")}), 3.75, 1e-6)
}

// Examples of Wikipedia's article on METEOR: 0.9977 and 0.9654. The third has 0.5 there, by the
// fewest crossings of the first version; by the fewest chunks, which METEOR has gone by since 1.3,
// "on the mat", "sat" and "the cat" are three, 1 - (3/6)³/2 = 0.9375. By hand: all words match by
// their stems in one chunk, 1 - (1/2)³/2 = 0.9375; and the sentences of NLTK's documentation with
// 12 matches, P = 12/18, R = 12/16, F = 0.740741 and four chunks, F * (1 - (4/12)³/2) = 0.727023.
// NLTK has 0.6944 there, because it aligns from the end and finds six chunks where four are enough.
func TestMETEOR(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		candidate, reference string
		want                 float64
	}{
		{"on the mat sat the cat", "the cat sat on the mat", 0.9375},
		{"the cat sat on the mat", "the cat sat on the mat", 0.9977},
		{"the cat was sat on the mat", "the cat sat on the mat", 0.9654},
		{"cats sitting", "a cat sits", 0.9375 * (2.0 / 3 / (meteorAlpha + (1-meteorAlpha)*2/3))},
		{"cats sitting", "cat sits", 0.9375},
		{"it is a guide to action which ensures that the military always obeys the commands of the party",
			"it is a guide to action that ensures that the military will forever heed party commands", 0.727023},
		{"x", "y", 0}, {"", "y", 0}, {"x", "", 0},
	} {
		near(t, c.candidate, METEOR(words(c.candidate), [][]string{words(c.reference)}), c.want, 0.00005)
	}
	near(t, "the better reference",
		METEOR(Stems(words("cats sitting")), [][]string{Stems(words("x")), Stems(words("cat sits"))}), 0.9375, 1e-9)
}

// every scores a caption by all metrics.
func every(caption, reference string, corpus *Corpus) map[string]float64 {
	scores := map[string]float64{}
	for _, m := range Metrics() {
		scores[m.Name] = m.Score(caption, []string{reference}, corpus)
	}
	return scores
}

// Whatever the texts are: scores are within their bounds, the reference itself has the highest, and
// nothing panics.
func FuzzMetrics(f *testing.F) {
	for _, seed := range [][2]string{
		{"A red boat.", "A red boat at a pier."}, {"", ""}, {"a", "a"}, {"\xff\xfe", "\u202e\u0000'"}, {"n't 's 'll",
			"don't dog's we'll"}, {"一只猫", "一只狗 and cats"},
		{strings.Repeat("a ", 300), strings.Repeat("a b ", 200)}, {"ﬃ İstanbul ǅ", "ß ſ K"}, {"'''''''ing",
			"yyyyyyyyyed"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, caption, reference string) {
		if len(caption)+len(reference) > 1<<14 {
			t.Skip("larger than inputs that say something new")
		}
		for _, token := range Tokens(caption) {
			if token == "" || strings.ContainsAny(token, " \n") || token != strings.ToLower(token) &&
				!slices.Equal(Tokens(token), []string{token}) {
				t.Fatalf("%q has the word %q", caption, token)
			}
		}
		corpus := NewCorpus()
		corpus.Add(Tokens(reference))
		corpus.Add(Tokens("another image of something else"))
		got, best := every(caption, reference, corpus), every(reference, reference, corpus)
		for name, score := range got {
			most := map[string]float64{"output-length": math.Inf(1), "cider": 10}[name]
			if most == 0 {
				most = 1
			}
			if math.IsNaN(score) || score < 0 || score > most {
				t.Fatalf("%s of %q against %q is %g", name, caption, reference, score)
			}
			if name != "output-length" && score > best[name]+1e-9 {
				t.Fatalf("%s of %q against %q is %g, and the reference itself has %g", name, caption, reference,
					score, best[name])
			}
		}
		// As many words are matched as both texts have, each once and with an equal one.
		a, b := Tokens(caption), Tokens(reference)
		common, matched, used := 0, 0, map[int]bool{}
		counts := ngrams(b, 1)
		for word, count := range ngrams(a, 1) {
			common += min(count, counts[word])
		}
		for i, j := range align(a, b) {
			if j < 0 {
				continue
			}
			if matched++; used[j] || a[i] != b[j] {
				t.Fatalf("%q and %q are aligned at %d and %d", caption, reference, i, j)
			}
			used[j] = true
		}
		must.Equal(t, matched, common, caption, reference)
		if again := every(caption, reference, corpus); again["cider"] != got["cider"] ||
			again["meteor"] != got["meteor"] {
			t.Fatalf("%q has two scores", caption)
		}
	})
}

// Texts of 100 kB, hostile ones too, take no more than moments.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	const size = 100_000
	natural := strings.Builder{}
	for i := 0; natural.Len() < size; i++ {
		natural.WriteString([]string{"the ", "cat ", "sat ", "on ", "a ", "mat "}[i%6])
		if i%3 == 0 {
			natural.WriteString(strings.Repeat(string(rune('a'+i%26)), i%7) + " ")
		}
	}
	texts := map[string]string{
		"one word over and over": strings.Repeat("a ", size/2), "two words": strings.Repeat("a b ", size/4),
		"one long word": strings.Repeat("a", size), "sentences": natural.String(),
		"apostrophes": strings.Repeat("'", size), "contractions": strings.Repeat("a'", size/2), "marks": "a" +
			strings.Repeat("\u0301", size/2), "endings": strings.Repeat("ingly", size/5),
	}
	corpus := NewCorpus()
	corpus.Add(Tokens("a cat"))
	corpus.Add(Tokens("a dog"))
	for name, text := range texts {
		begun := time.Now()
		every(text, text+" and a b a a", corpus)
		expect.Between(t, time.Since(begun), 0, 20*time.Second, name)
	}
}
