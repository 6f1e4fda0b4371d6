package shape

import (
	"cmp"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// Battles are pairs of captions of one picture, with any votes of people and of a judge.
//
// The winner is one of the two captioners, or tie, equal, tie (bothbad) or skipped; without a
// winner the battle waits for votes. A row has both captions or neither. If people annotate under
// their own names, annotator has the name, and seconds the time taken. Several files may have the
// same battles: the lake keeps each battle once, from the first file. A battle with a baseline,
// which is b, belongs to CapArena-Auto, and its judge got the human caption. shown is ba if the
// judge saw b first.
var Battles = &Shape{
	Name: "battles",
	What: "battles between two captions of a picture; a and b are captioners, judge_text is what the model judge wrote",
	Columns: strings.Fields("image a b caption_a caption_b winner level reference annotator seconds judge judge_text " +
		"judge_reason baseline shown"),
	Needs: 3, Unit: readerUnit,
	Begin: func(j *Job) (Filler, error) {
		f := &battleFiller{Job: j, inFile: map[string]bool{}, votes: map[string]map[[3]string]string{},
			repetitions: map[string]int{}}
		var err error
		f.captionersA, err = Held(j, data.Battles, nil, func(b data.Battle) (string, string) {
			return b.BattleID, b.CaptionerA
		})
		return Filler{Row: f.row}, err
	},
}

// winnerForms are the words for a winner other than the captioners, in the authors' released files
// and code.
var winnerForms = map[string]string{
	"tie": arena.WinnerTie, "equal": arena.WinnerTie, "tie (bothbad)": arena.WinnerTie, "skipped": arena.WinnerSkipped,
}

// A battleFiller fills the tables battles and votes.
type battleFiller struct {
	*Job
	// captioner_a of each battle of other units and of the file so far, by battle_id
	captionersA map[string]string
	inFile      map[string]bool                 // battle_ids of new battles of the file
	votes       map[string]map[[3]string]string // winners of other units' votes: by judge, and then by voteKey
	repetitions map[string]int                  // rows of the file so far, by pair of captions and annotator
	read        int                             // battles of the file so far
}

// voteKey identifies a vote of a judge, who may vote on a battle under several protocols and in
// both positions.
func voteKey(v data.Vote) [3]string { return [3]string{v.BattleID, v.Protocol, v.Position} }

// A battle is a battle as a row of a file gives it.
type battle struct {
	*Row
	arena.Pair
	captioners [2]string      // a and b as the file names them
	shown      arena.Position // which caption the judge saw first
	auto       bool           // the battle belongs to CapArena-Auto
}

// row writes a battle and its votes.
func (f *battleFiller) row(r *Row) error {
	b := &battle{Row: r}
	if err := b.readPair(); err != nil || r.Faulty {
		return err
	}
	annotator := r.Text("annotator")
	pair := b.ID() + "\x00" + annotator
	repetition := f.repetitions[pair]
	f.repetitions[pair]++
	if annotator == "" { // Each vote without a name is another battle of the pair.
		b.Repetition = repetition
	} else if repetition > 0 {
		r.Fault("annotator", "%q voted on this battle already: keep one of the two votes", annotator)
		return nil
	}
	row := data.Battle{
		BattleID: b.ID(), ImageID: b.ImageID, CaptionerA: b.CaptionerA, CaptionerB: b.CaptionerB,
		CaptionA: b.CaptionA, CaptionB: b.CaptionB,
		Ordinal: int32(f.read), Source: f.Source.Base(), Benchmark: b.Benchmark, Reference: r.Text("reference"),
		Provenance: data.ProvenanceOf(f.Tx.Unit().Provenance, b.CaptionerA, b.CaptionerB),
	}
	if level, ok := r.Number("level"); ok {
		whole := int32(level)
		row.Level = &whole
		if level != float64(whole) || whole < 1 || whole > 4 {
			r.Fault("level", "the level is %v: write 1, 2, 3 or 4, or leave it out", level)
		}
	}
	if err := f.write(b, row); err != nil {
		return err
	}
	vote := data.Vote{BattleID: row.BattleID, ImageID: row.ImageID, Provenance: row.Provenance}
	if err := f.castHuman(b, vote, annotator); err != nil {
		return err
	}
	return f.castJudge(b, vote)
}

// readPair reads the two captioners of the battle and their captions.
func (b *battle) readPair() (err error) {
	b.Benchmark, b.ImageID = data.BenchmarkCapArena, ItemName(b.Need("image", "the name of the picture's file"))
	var ids [2]string
	for i, column := range []string{"a", "b"} {
		if b.captioners[i] = b.Need(column, "the captioner's name, or human"); b.captioners[i] != "" {
			if ids[i], err = b.Job.ModelID(b.captioners[i]); err != nil {
				return err
			}
		}
	}
	b.CaptionerA, b.CaptionerB, b.CaptionA, b.CaptionB = ids[0], ids[1], b.Text("caption_a"), b.Text("caption_b")
	b.shown = arena.Position(cmp.Or(b.Text("shown"), string(arena.PositionAB)))
	baseline := b.Text("baseline")
	if b.auto = baseline != ""; b.auto {
		b.Benchmark = data.BenchmarkCapArenaAuto
	}
	switch {
	case b.Faulty:
	case ids[0] == ids[1]:
		b.Fault("b", "the battle is between %q and itself: two captioners are compared", b.captioners[1])
	case (b.CaptionA == "") != (b.CaptionB == ""):
		b.Fault("caption_b", "the battle has one caption: write both, or neither where only who won matters")
	case b.auto && baseline != b.captioners[1]:
		b.Fault("baseline", "the baseline %q is not b: name the captioner that is tested as a", baseline)
	}
	return nil
}

// winner is the winner of people's vote; empty without a vote.
func (b *battle) winner() string {
	name := b.Text("winner")
	switch outcome := winnerForms[strings.ToLower(name)]; {
	case name == "":
	case name == b.captioners[0]:
		return arena.WinnerA
	case name == b.captioners[1]:
		return arena.WinnerB
	case outcome != "":
		return outcome
	default:
		b.Fault("winner", "the winner %q is unknown: write %q, %q, tie, equal or skipped", name,
			b.captioners[0], b.captioners[1])
	}
	return ""
}

// write writes a battle, unless the lake or the file has it already. If there is such an earlier
// battle, the row's votes are about it, and it may have the two captions in the other order.
func (f *battleFiller) write(b *battle, row data.Battle) error {
	f.read++
	if b.Repetition > 0 {
		f.Count("%d battles repeat an earlier one of the file, and count, since the file does not say who annotated them")
	}
	if row.CaptionA == "" {
		f.Count("%d battles have no captions: they rank captioners, but nobody can judge them again")
	}
	captionerA, exists := f.captionersA[row.BattleID]
	if !exists {
		f.captionersA[row.BattleID], f.inFile[row.BattleID] = row.CaptionerA, true
		return Write(f.Job, data.Battles, row)
	}
	if captionerA != row.CaptionerA { // The earlier battle has the two captions in the other order.
		b.shown = b.shown.Other()
		b.captioners[0], b.captioners[1] = b.captioners[1], b.captioners[0]
	}
	if !f.inFile[row.BattleID] {
		f.Count("%d battles are in the lake already; only their votes here are new")
	}
	return nil
}

// castHuman writes the vote of people. v has the battle, and gets all other values.
func (f *battleFiller) castHuman(b *battle, v data.Vote, annotator string) error {
	v.Judge, v.JudgeType, v.Protocol = cmp.Or(annotator, arena.People), arena.JudgeHuman, arena.ProtocolVote
	if v.Winner = b.winner(); v.Winner == "" {
		if !b.auto { // Battles of CapArena-Auto are for a judge, and need no people.
			f.Count("%d battles have no winner: nobody has voted on them")
		}
		return nil
	}
	if seconds, ok := b.Number("seconds"); ok {
		if v.Seconds = &seconds; seconds < 0 {
			b.Fault("seconds", "the seconds are %v: write how long the annotator took as a number, or leave it out",
				seconds)
		}
	}
	return f.vote(b, v)
}

// castJudge writes the vote of a model or a metric, which judge_text contains. v has the battle,
// and gets all other values.
func (f *battleFiller) castJudge(b *battle, v data.Vote) error {
	text, name := b.Text("judge_text"), cmp.Or(f.Options.Reader, b.Text("judge"))
	switch {
	case text == "" && name != "":
		f.Count("%d battles have no judge text")
		return nil
	case text == "":
		return nil
	case name == "":
		return f.Source.Refuse("name it with --reader, such as --reader GPT-4o, the paper's judge, "+
			"or --reader \"GPT-4o (with ref)\" if it got the human caption", Unsaid+"which model judged")
	}
	id, err := f.ModelID(name)
	models, registryErr := data.Registry()
	if err = cmp.Or(err, registryErr); err != nil {
		return err
	}
	// The kind of the judge gives the protocol.
	v.Judge, v.JudgeType, v.Protocol = id, arena.JudgeModel, arena.ProtocolBattle
	v.Position = string(b.shown)
	switch m, _ := models.Resolve(name); { // A name that is not in the registry counts as a model.
	case m.ModelType == data.ModelMetric:
		v.JudgeType, v.Protocol, v.Position = arena.JudgeMetric, arena.ProtocolMetric, ""
	case m.ModelType == data.ModelHuman:
		return data.Errorf("name the model or metric that gave the judge texts with --reader",
			"the registry lists %q as human annotators, who give winners, not texts", name)
	case b.auto || strings.Contains(strings.ToLower(name), "with ref"): // CapArena-Auto shows the human caption.
		v.Protocol = arena.ProtocolBattleReference
	}
	// The text gives the winner: its captions 1 and 2 are in the order in which the judge saw them.
	judgment := arena.ReadJudgment(text)
	v.Winner, v.Reason = b.shown.Winner(judgment), b.Text("judge_reason")
	if reason, _, err := arena.ReadReply(v.Reason); err == nil { // The reason may be the judge's whole reply.
		v.Reason = reason
	}
	if judgment == arena.Unparsed {
		v.Reason = text
		f.Count("%d judge texts are in none of the accepted forms and count as unparsed; the first %s: %q",
			b.where("judge_text"), text)
	}
	return f.vote(b, v)
}

// vote writes a vote, unless the battle has a fault or the lake has the vote from another unit.
func (f *battleFiller) vote(b *battle, v data.Vote) (err error) {
	if b.Faulty {
		return nil
	}
	if f.votes[v.Judge] == nil {
		f.votes[v.Judge], err = Held(f.Job, data.Votes, data.Where{"judge": v.Judge},
			func(v data.Vote) ([3]string, string) { return voteKey(v), v.Winner })
		if err != nil {
			return err
		}
	}
	switch winner, held := f.votes[v.Judge][voteKey(v)]; {
	case !held:
		return Write(f.Job, data.Votes, v)
	case winner == v.Winner:
		f.Count("%d votes are in the lake already")
	default:
		b.Report(b.At,
			"the lake has another vote of %s on this battle: %s there, %s here; remove its unit, or correct one of the two",
			v.Judge, winner, v.Winner)
	}
	return nil
}
