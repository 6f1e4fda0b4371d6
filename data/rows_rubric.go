package data

// Annotation is one annotated visual element of CAPability or CV-CapBench.
type Annotation struct {
	Benchmark string `parquet:"benchmark,dict,id(1)"`  // capability or cv-capbench
	SampleID  string `parquet:"sample_id,dict,id(2)"`  // file_id of the benchmark
	Element   string `parquet:"element,dict,id(3)"`    // what is annotated within the sample: an object's name; empty when the dimension annotates no object
	Dimension string `parquet:"dimension,dict,id(4)"`  // one of the 13 dimensions, such as object_color
	View      string `parquet:"view,dict,id(5)"`       // one of the six views: object, global, text, camera, temporal, knowledge
	Dynamic   bool   `parquet:"dynamic,id(6)"`         // the dimension concerns video
	MediaType string `parquet:"media_type,dict,id(7)"` // image or video
	Media     string `parquet:"media,dict,id(8)"`      // path of the media file, as the benchmark names it
	Value     string `parquet:"value,dict,id(9)"`      // annotated value: a colour, a number, a category, a sentence
	Line      int32  `parquet:"line,id(10)"`           // line of the annotation file, from 1
	Ordinal   int32  `parquet:"ordinal,id(11)"`        // position of the element in the sample's annotation, from 0; judges' lists follow it
}

// Judgment is one judge's verdict on whether one caption states one annotation, and correctly.
type Judgment struct {
	Benchmark     string   `parquet:"benchmark,dict,id(1)"`                           // capability or cv-capbench
	Judge         string   `parquet:"judge,dict,id(2)"`                               // model_id of the judge
	Captioner     string   `parquet:"captioner,dict,id(3)"`                           // model_id whose caption was judged
	Repeat        int32    `parquet:"repeat,id(4)"`                                   // number of the repetition, from 0
	SampleID      string   `parquet:"sample_id,dict,id(5)"`                           // sample judged
	Element       string   `parquet:"element,dict,id(6)"`                             // element judged, as in annotations
	Dimension     string   `parquet:"dimension,dict,id(7)"`                           // dimension of the annotation
	Verdict       string   `parquet:"verdict,dict,id(8)"`                             // positive, negative, miss, unparsed or failed
	Predicted     []string `parquet:"predicted,list,id(9)" parquet-element:",id(10)"` // categories that the judge found in the caption, for closed-set dimensions
	Reason        string   `parquet:"reason,plain,id(11)"`                            // the judge's reason
	RequestHash   string   `parquet:"request_hash,plain,id(12)"`                      // call that was parsed; empty for ingested judgments
	Provenance    string   `parquet:"provenance,dict,id(13)"`                         // published, measured or simulated
	CaptionDigest *string  `parquet:"caption_digest,optional,dict,id(14)"`            // MD5 of the text of the caption that was judged, in lower-case hex; null in judgments that were loaded from a file
	ValueDigest   *string  `parquet:"value_digest,optional,dict,id(15)"`              // MD5 of the annotated value that was judged against, in lower-case hex; null in judgments that were loaded from a file
}

// ElementAnswer is a model's answer to the question form of an annotation, for know-but-cannot-tell (CAPability section 4).
type ElementAnswer struct {
	Benchmark   string  `parquet:"benchmark,dict,id(1)"`              // capability or cv-capbench
	Model       string  `parquet:"model,dict,id(2)"`                  // model_id that looked at the media and answered
	Judge       string  `parquet:"judge,dict,id(3)"`                  // model_id of the judge of open answers; empty for multiple choice
	Repeat      int32   `parquet:"repeat,id(4)"`                      // number of the repetition, from 0
	SampleID    string  `parquet:"sample_id,dict,id(5)"`              // sample asked about
	Element     string  `parquet:"element,dict,id(6)"`                // element asked about, as in annotations
	Dimension   string  `parquet:"dimension,dict,id(7)"`              // dimension of the annotation
	Answer      string  `parquet:"answer,plain,id(8)"`                // parsed answer
	Outcome     string  `parquet:"outcome,dict,id(9)"`                // correct, incorrect, unparsed or failed
	RequestHash string  `parquet:"request_hash,plain,id(10)"`         // call that was parsed
	Provenance  string  `parquet:"provenance,dict,id(11)"`            // measured or simulated
	ValueDigest *string `parquet:"value_digest,optional,dict,id(12)"` // MD5 of the annotated value that was asked for, in lower-case hex; null when unknown
}
