package ingest

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
)

// winnerForms are the words for a winner that is neither of the captioners, as the release and its code have them.
var winnerForms = map[string]string{
	"tie": arena.WinnerTie, "equal": arena.WinnerTie, "tie (bothbad)": arena.WinnerTie, "skipped": arena.WinnerSkipped,
}

// A battleFields is a battle while it is read from a file.
type battleFields struct {
	value     node
	fault     faultFunc
	ok        bool
	image     string
	source    [2]string // captioners as the file calls them, in its order
	captioner [2]string // their model_ids, in the battle's order
	caption   [2]string
	shown     arena.Position // which of the battle's captions the file has first
}

func (b *battleFields) report(at pos, format string, args ...any) {
	if at == (pos{}) {
		at = b.value.at
	}
	b.fault(at.line, at.col, format, args...)
	b.ok = false
}

// text reads a field of text. One that is absent, null or of white space alone is empty.
func (b *battleFields) text(key string) (string, pos) {
	n, ok := b.value.field(key)
	switch {
	case !ok, n.kind == kindNull:
	case n.kind != kindString:
		b.report(n.at, "%q is %s where a string belongs: write it in quotes", key, n.kind)
	case strings.TrimSpace(n.text) != "":
		return n.text, n.at
	}
	return "", n.at
}

// readPair reads what the battle is between.
func (b *battleFields) readPair() {
	img, at := b.text("img")
	if b.image = captionqa.ItemName(img); strings.TrimSpace(b.image) == "" && b.ok {
		b.report(at, "the battle names no picture: write the name of its file in \"img\"")
	}
	var places [2]pos
	for i, key := range []string{"source1", "source2"} {
		b.source[i], places[i] = b.text(key)
		id, err := data.ModelIDFor(b.source[i])
		if b.source[i] == "" || err != nil {
			b.report(places[i], "%q names no captioner: write the model's name, or human", key)
		}
		b.captioner[i] = id
		b.caption[i], _ = b.text("caption" + strconv.Itoa(i+1))
	}
	if b.ok && b.captioner[0] == b.captioner[1] {
		b.report(places[1], "the battle is between %q and itself: two captioners are compared", clip(b.source[1]))
	}
	if b.ok && (b.caption[0] == "") != (b.caption[1] == "") {
		missing := map[bool]string{true: "caption1", false: "caption2"}[b.caption[0] == ""]
		_, at := b.text(missing)
		b.report(at, "the battle has one caption, and %q is empty: write both, or neither where only who won matters", missing)
	}
	b.shown = arena.PositionAB
}

// level reads the published difficulty.
func (b *battleFields) level() *int32 {
	text, at := b.text("cluster")
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(text, "level "))
	if err != nil || !strings.HasPrefix(text, "level ") || n < 1 || n > 4 {
		b.report(at, "the cluster is %q: write level 1, level 2, level 3 or level 4, or leave it out", clip(text))
		return nil
	}
	level := int32(n)
	return &level
}

// winner reads what people voted; it is empty where nobody has.
func (b *battleFields) winner() string {
	text, at := b.text("winner")
	switch outcome := winnerForms[strings.ToLower(text)]; {
	case text == "":
		return ""
	case text == b.source[0]:
		return b.shown.Winner(arena.First)
	case text == b.source[1]:
		return b.shown.Winner(arena.Second)
	case outcome != "":
		return outcome
	}
	b.report(at, "the winner %q is unknown: write %q, %q, tie, equal or skipped", clip(text), clip(b.source[0]), clip(b.source[1]))
	return ""
}

// seconds reads how long the annotator took; null where the file does not say.
func (b *battleFields) seconds() *float64 {
	n, ok := b.value.field("seconds")
	if !ok || n.kind == kindNull {
		return nil
	}
	seconds, err := strconv.ParseFloat(n.text, 64)
	if n.kind != kindNumber || err != nil || seconds < 0 {
		b.report(n.at, "the seconds are %s: write how long the annotator took as a number, or leave it out", clip(n.text))
	}
	return &seconds
}

// battleLoad is the loading of one list of battles.
type battleLoad struct {
	job       *Job
	benchmark string
	judge     arenaJudge
	arrange   func(*battleFields) bool     // puts the captions of a battle in order
	battles   *data.RowWriter[data.Battle] // nil until there is one that the lake does not have
	votes     *data.RowWriter[data.Vote]
	known     map[string]knownBattle       // battles of other units and of this file so far, by battle_id
	own       map[string]bool              // votes that this unit is about to replace
	before    map[string]map[string]string // winners by judge and by battle, protocol and position, of other units
	seen      map[string]int               // how often a pair was in the file so far
	annotated map[string]int               // lines of named annotators' votes
	read      int                          // battles of the file so far
	judged    int                          // of them, those with a judge text
	unjudged  int
}

// A knownBattle is one that need not be written again.
type knownBattle struct {
	first string // its first captioner
	here  bool   // the file has it
}

// loadBattles reads a list of battles with the votes of people and of a judge. Arrange puts the two captions of a battle in order,
// which is the file's otherwise; it reports what it cannot.
func loadBattles(ctx context.Context, j *Job, benchmark string, judge arenaJudge, arrange func(*battleFields) bool) (err error) {
	l := &battleLoad{
		job: j, benchmark: benchmark, judge: judge, arrange: arrange, own: map[string]bool{}, before: map[string]map[string]string{}, seen: map[string]int{},
		annotated: map[string]int{},
	}
	if l.votes, err = data.NewRowWriter(j.Tx, data.Votes); err != nil {
		return err
	}
	if err := l.readKnown(); err != nil {
		return err
	}
	text, err := j.Source.text()
	if err != nil {
		return err
	}
	err = newJSONReader(text, j.Fault).elements(func(_ int, value node) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return l.battle(value)
	})
	if err != nil || len(j.faults.All) > 0 {
		return err
	}
	if l.read == 0 {
		j.Fault(1, 1, "the list has no battle: get the whole file")
		return nil
	}
	if l.judged > 0 && judge.id == "" {
		return data.WithHint(fmt.Errorf("%s: the file has judge texts, and nothing says whose", j.Source.Path), "name the judge with --reader, such as --reader GPT-4o, or --reader \"GPT-4o (with ref)\" if it got the human caption")
	}
	if l.judged > 0 && l.unjudged > 0 {
		j.Note("%s: %d battles have no judge text", j.Source.Path, l.unjudged)
	}
	return nil
}

// readKnown reads which battles other units hold.
func (l *battleLoad) readKnown() error {
	type battle struct {
		ID    string `parquet:"battle_id"`
		First string `parquet:"captioner_a"`
	}
	l.known = map[string]knownBattle{}
	for b, err := range data.Project[battle](l.job.Lake, data.Battles, nil) {
		if err != nil {
			return err
		}
		l.known[b.ID] = knownBattle{first: b.First}
	}
	for b, err := range data.UnitRows(l.job.Lake, data.Battles, l.job.Tx.Unit()) {
		if err != nil {
			return err
		}
		delete(l.known, b.BattleID)
	}
	for v, err := range data.UnitRows(l.job.Lake, data.Votes, l.job.Tx.Unit()) {
		if err != nil {
			return err
		}
		l.own[voteKey(v)] = true
	}
	return nil
}

func voteKey(v data.Vote) string {
	return strings.Join([]string{v.BattleID, v.Judge, v.Protocol, v.Position}, "\x00")
}

// battle reads one battle and its votes.
func (l *battleLoad) battle(value node) error {
	if value.kind != kindObject {
		l.job.Fault(value.at.line, value.at.col, "this is %s, and a battle belongs here: write an object with img, source1 and source2", value.kind)
		return nil
	}
	b := &battleFields{value: value, fault: l.job.Fault, ok: true}
	b.readPair()
	if !b.ok || !l.arrange(b) {
		return nil
	}
	pair := arena.Pair{
		Benchmark: l.benchmark, ImageID: b.image, CaptionerA: b.captioner[0], CaptionA: b.caption[0], CaptionerB: b.captioner[1], CaptionB: b.caption[1],
	}
	annotator, at := b.text("annotator")
	first := pair.ID()
	if annotator == "" {
		pair.Repetition = l.seen[first]
		l.seen[first]++
	} else if line, twice := l.annotated[first+"\x00"+annotator]; twice {
		b.report(at, "%q voted on this battle in line %d already: keep one of the two votes", clip(annotator), line)
		return nil
	} else {
		l.annotated[first+"\x00"+annotator] = at.line
	}
	reference, _ := b.text("ref")
	row := data.Battle{
		BattleID: pair.ID(), ImageID: b.image, CaptionerA: b.captioner[0], CaptionerB: b.captioner[1], CaptionA: b.caption[0], CaptionB: b.caption[1],
		Level: b.level(), Ordinal: int32(l.read), Source: l.job.Source.base(), Benchmark: l.benchmark, Reference: reference,
		Provenance: data.ProvenanceOf(l.job.Tx.Unit().Provenance, b.captioner[0], b.captioner[1]),
	}
	if err := l.write(b, row, pair.Repetition); err != nil {
		return err
	}
	return l.castVotes(b, row, annotator)
}

// write writes a battle unless the lake or this file has it.
func (l *battleLoad) write(b *battleFields, row data.Battle, repetition int) error {
	l.read++
	if repetition > 0 {
		l.job.Count("%d battles repeat an earlier one of the file; each counts as a battle of its own, because the file does not say who annotated them")
	}
	if row.CaptionA == "" {
		l.job.Count("%d battles have no captions: they rank captioners, but nobody can judge them anew")
	}
	battle, known := l.known[row.BattleID]
	if !known {
		l.known[row.BattleID] = knownBattle{row.CaptionerA, true} // A second annotator's vote is about this battle.
		return l.writeNew(row)
	}
	if battle.first != row.CaptionerA { // The lake has the two captions in the other order.
		b.shown = b.shown.Other()
	}
	if !battle.here {
		l.job.Count("%d battles are in the lake already; only what votes they have here is new")
	}
	return nil
}

// writeNew writes a battle that the lake does not have.
func (l *battleLoad) writeNew(row data.Battle) (err error) {
	if l.battles == nil {
		if l.battles, err = data.NewRowWriter(l.job.Tx, data.Battles); err != nil {
			return err
		}
	}
	return l.battles.Write(row)
}

// castVotes writes the votes of people and of the judge.
func (l *battleLoad) castVotes(b *battleFields, row data.Battle, annotator string) error {
	vote := data.Vote{BattleID: row.BattleID, ImageID: row.ImageID, Provenance: row.Provenance}
	human, machine := vote, vote
	human.Judge, human.JudgeType, human.Protocol = arena.People, arena.JudgeHuman, arena.ProtocolVote
	if annotator != "" {
		human.Judge = annotator
	}
	human.Winner, human.Seconds = b.winner(), b.seconds()
	if human.Winner == "" {
		if l.benchmark == data.BenchmarkCapArena {
			l.job.Count("%d battles have no winner: nobody has voted on them")
		}
	} else if err := l.vote(b, human); err != nil {
		return err
	}
	text, at := b.text("judge")
	reason, _ := b.text("judge_reason")
	if text == "" {
		l.unjudged++
		return nil
	}
	l.judged++
	judgment := arena.ReadJudgment(text)
	machine.Judge, machine.JudgeType, machine.Protocol = l.judge.id, l.judge.kind, l.judge.protocol
	machine.Winner, machine.Reason = b.shown.Winner(judgment), reason
	if l.judge.kind == arena.JudgeModel {
		machine.Position = string(b.shown) // Captions 1 and 2 of a judge are those of the file.
	}
	if given, _, err := arena.ReadReply(reason); err == nil {
		machine.Reason = given
	}
	if judgment == arena.Unparsed {
		machine.Reason = text
		l.job.Count("%d judge texts are in none of the accepted forms and count as unparsed; first line %d: %q", at.line, clip(text))
	}
	return l.vote(b, machine)
}

// vote writes a vote unless the lake has it from another unit.
func (l *battleLoad) vote(b *battleFields, v data.Vote) error {
	if !b.ok {
		return nil
	}
	before, read := l.before[v.Judge]
	if !read {
		before = map[string]string{}
		for other, err := range data.Select(l.job.Lake, data.Votes, data.Where{"judge": v.Judge}) {
			if err != nil {
				return err
			}
			if !l.own[voteKey(other)] {
				before[voteKey(other)] = other.Winner
			}
		}
		l.before[v.Judge] = before
	}
	switch winner, ok := before[voteKey(v)]; {
	case !ok:
		return l.votes.Write(v)
	case winner == v.Winner:
		l.job.Count("%d votes are in the lake already")
		return nil
	default:
		b.report(b.value.at, "the lake has another vote of %s on this battle: %s there, %s here; remove the unit that it came from, or correct one of the two", v.Judge, winner, v.Winner)
		return nil
	}
}
