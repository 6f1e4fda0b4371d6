package captionqa

// BlindTrials is the number of shuffled text-only trials per question of the blind filter
// (CaptionQA section 4.3.2).
const BlindTrials = 10
