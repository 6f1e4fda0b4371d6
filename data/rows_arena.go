package data

// Battle is a pair of captions of one item (CapArena section 3).
type Battle struct {
	BattleID string `parquet:"battle_id,plain,id(1)"` // name of the battle
	ImageID  string `parquet:"image_id,dict,id(2)"`   // item that both captions describe
	ModelA   string `parquet:"model_a,dict,id(3)"`    // model_id of the first caption
	ModelB   string `parquet:"model_b,dict,id(4)"`    // model_id of the second caption
	CaptionA string `parquet:"caption_a,plain,id(5)"` // first caption; empty when missing
	CaptionB string `parquet:"caption_b,plain,id(6)"` // second caption; empty when missing
	Level    *int32 `parquet:"level,optional,id(7)"`  // published difficulty 1 (unequal models) to 4 (close models); null when not given
	Ordinal  int32  `parquet:"ordinal,id(8)"`         // position in the file, from 0; sequential Elo depends on it
	Source   string `parquet:"source,dict,id(9)"`     // file that the battle came from
}

// Vote is one judge's preference in one battle.
type Vote struct {
	BattleID    string   `parquet:"battle_id,plain,id(1)"`    // battle voted on
	Judge       string   `parquet:"judge,dict,id(2)"`         // human, a metric's name or a model_id
	JudgeType   string   `parquet:"judge_type,dict,id(3)"`    // human, metric or model
	Winner      string   `parquet:"winner,dict,id(4)"`        // a, b, tie, unparsed or failed
	ScoreA      *float64 `parquet:"score_a,optional,id(5)"`   // a metric's score of the first caption; null for others
	ScoreB      *float64 `parquet:"score_b,optional,id(6)"`   // a metric's score of the second caption; null for others
	RequestHash string   `parquet:"request_hash,plain,id(7)"` // call that was parsed; empty when there is none
	Provenance  string   `parquet:"provenance,dict,id(8)"`    // published, measured or simulated
}
