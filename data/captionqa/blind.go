package captionqa

// BlindTrials is the number of shuffled text-only trials per question of the blind filter
// (CaptionQA section 4.3.2).
const BlindTrials = 10

// BlindDropAt returns the number of hits at which the blind filter drops a question: a text-only
// model that sees neither image nor caption answered it right in at least that many of its trials
// (CaptionQA section 4.3.2; thresholds as published by the authors' code). With n trials it is n
// for up to two options, ⌈0.8n⌉ for three, ⌈0.7n⌉ for four and ⌈0.6n⌉ for five or more; options are
// counted without the cannot option. It is at least 1, so that a question that was never tried is
// never dropped.
func BlindDropAt(options, trials int) int {
	tenths := 10
	switch {
	case options >= 5:
		tenths = 6
	case options == 4:
		tenths = 7
	case options == 3:
		tenths = 8
	}
	// Whole numbers keep the ceiling exact. Splitting trials first keeps the product small for any
	// number of trials.
	dropAt := trials/10*tenths + (trials%10*tenths+9)/10
	return max(dropAt, 1)
}
