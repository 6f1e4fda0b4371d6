package file

// python makes JSON of what Python wrote, in pieces and in place: of its names of numbers that JSON
// does not have, NaN becomes the text "?", and Infinity a number that is too large for any, so that
// neither is taken for a number.
type python struct {
	text, escaped bool
	rest          string // of what takes the place of a name
}

func (p *python) replace(piece []byte) {
	for i, c := range piece {
		switch {
		case p == nil:
			return
		case p.rest != "":
			piece[i], p.rest = p.rest[0], p.rest[1:]
		case p.escaped:
			p.escaped = false
		case p.text:
			p.text, p.escaped = c != '"', c == '\\'
		case c == '"':
			p.text = true
		case c == 'N':
			piece[i], p.rest = '"', `?"`
		case c == 'I':
			piece[i], p.rest = '1', "e999999"
		}
	}
}
