package file

// python converts Python's JSON to strict JSON, in pieces and in place. Python writes names of
// numbers that JSON does not have. NaN becomes the text "?", and Infinity a number that is too
// large for any type, so that neither counts as a number.
type python struct {
	text, escaped bool   // within a text, and after a backslash in it
	rest          string // rest of a replacement
}

// replace converts the next piece of the text. A replacement is as long as the name that it
// replaces, and may go on in the next piece. A nil python changes nothing.
func (p *python) replace(piece []byte) {
	if p == nil {
		return
	}
	for i, c := range piece {
		switch {
		case p.rest != "":
			piece[i], p.rest = p.rest[0], p.rest[1:]
		case p.escaped:
			p.escaped = false
		case p.text:
			p.text, p.escaped = c != '"', c == '\\'
		case c == '"':
			p.text = true
		case c == 'N': // NaN
			piece[i], p.rest = '"', `?"`
		case c == 'I': // Infinity
			piece[i], p.rest = '1', "e999999"
		}
	}
}
