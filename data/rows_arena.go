package data

import "time"

// Battle is a pair of captions of one item (CapArena section 3).
type Battle struct {
	// digest of benchmark, item, captioners, captions and, for pairs that a file repeats, the number
	// of the repetition
	BattleID string `parquet:"battle_id,plain"`
	ImageID  string `parquet:"image_id,dict"` // item that both captions describe
	// model_id that wrote the first caption; in caparena-auto the captioner tested; human for a person
	CaptionerA string `parquet:"captioner_a,dict"`
	// model_id that wrote the second caption; in caparena-auto the baseline; human for a person
	CaptionerB string `parquet:"captioner_b,dict"`
	CaptionA   string `parquet:"caption_a,plain"` // first caption; empty when the file gives no captions
	CaptionB   string `parquet:"caption_b,plain"` // second caption; empty when the file gives no captions
	// published difficulty 1 (unequal captioners) to 4 (close ones); null when not given
	Level *int32 `parquet:"level,optional"`
	// position in the file, or in the order of the drawing, from 0; sequential Elo depends on it
	Ordinal int32 `parquet:"ordinal"`
	// file that the battle came from; captions for a battle drawn from the lake's captions
	Source    string `parquet:"source,dict"`
	Benchmark string `parquet:"benchmark,dict"`  // caparena, also for a user's own battles, or caparena-auto
	Reference string `parquet:"reference,plain"` // a person's caption that came with the battle; empty when none came
	// caption prompt of both captions, if they are the lake's; empty otherwise
	Prompt     string `parquet:"prompt,dict"`
	Provenance string `parquet:"provenance,dict"` // published, measured or simulated
}

// Vote is one judge's preference in one battle.
type Vote struct {
	BattleID string `parquet:"battle_id,plain"` // battle voted on
	// people for published votes, an annotator's name, a metric's name or a model_id
	Judge     string `parquet:"judge,dict"`
	JudgeType string `parquet:"judge_type,dict"` // human, metric or model
	// caparena/vote by people, caparena/metric by metrics, caparena/battle and
	// caparena/battle-reference by models
	Protocol string `parquet:"protocol,dict"`
	// ab when caption a was shown first, ba when caption b was; empty when unknown and for metrics
	Position string `parquet:"position,dict"`
	// a, b, tie, skipped, unparsed or failed; a and b are the battle's captions in whichever order
	// they were shown; a metric's winner follows from its two scores
	Winner string `parquet:"winner,dict"`
	// a metric's score of the first caption; null for other judges and where it has none
	ScoreA *float64 `parquet:"score_a,optional"`
	// a metric's score of the second caption; null for other judges and where it has none
	ScoreB *float64 `parquet:"score_b,optional"`
	// the judge's reason; for a reply that could not be read, the text of the file; empty when no
	// reason was given
	Reason string `parquet:"reason,plain"`
	// seconds that the annotator took; null when unknown and for other judges
	Seconds *float64 `parquet:"seconds,optional"`
	// when the annotator decided, UTC; null when unknown and for other judges
	VotedAt *time.Time `parquet:"voted_at,optional,timestamp(microsecond)"`
	// item of the battle: the cluster of every standard error
	ImageID string `parquet:"image_id,dict"`
	// call that was parsed; empty when there was no call
	RequestHash string `parquet:"request_hash,plain"`
	Provenance  string `parquet:"provenance,dict"` // published, measured or simulated
}
