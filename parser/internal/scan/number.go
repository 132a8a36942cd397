package scan

import (
	"strings"

	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// number reads a number or duration. Digits with letters directly behind them
// are one token: a duration, or one mistake.
func (s *scanner) number() {
	from, kind := s.pos, token.Int
	end := s.digits(from)
	if end+1 < len(s.text) && s.text[end] == '.' && isDigit(s.text[end+1]) {
		kind = token.Decimal
		end = s.digits(end + 1)
	}
	if exp := s.exponent(end); exp > end {
		kind = token.Float
		end = exp
	}
	if stop := s.wordEnd(end); stop > end {
		s.unit(from, stop, kind)
		return
	}
	s.pos = end
	text := s.text[from:end]
	if why := badDigits(text); why != "" {
		s.diags.Add(say.BadNumber(s.span(from, end), text, why))
		s.emit(kind, from, end, "0")
		return
	}
	s.emit(kind, from, end, plainDigits(text))
}

// digits is the end of a run of digits and underscores.
func (s *scanner) digits(pos int) int {
	for pos < len(s.text) && (isDigit(s.text[pos]) || s.text[pos] == '_') {
		pos++
	}
	return pos
}

// exponent is the end of the exponent at pos, pos itself if there is none.
func (s *scanner) exponent(pos int) int {
	if pos >= len(s.text) || s.text[pos]|0x20 != 'e' {
		return pos
	}
	at := pos + 1
	if at < len(s.text) && (s.text[at] == '+' || s.text[at] == '-') {
		at++
	}
	if at >= len(s.text) || !isDigit(s.text[at]) {
		return pos
	}
	return s.digits(at)
}

// badDigits says what is wrong with the digits of a number, "" if nothing.
func badDigits(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] == '_' && (i+1 == len(text) || !isDigit(text[i+1]) || i == 0 || !isDigit(text[i-1])) {
			return "`_` stands between two digits"
		}
	}
	if len(text) > 1 && text[0] == '0' && (isDigit(text[1]) || text[1] == '_') {
		return "a number does not begin with 0"
	}
	return ""
}

func plainDigits(text string) string {
	if strings.IndexByte(text, '_') < 0 {
		return text
	}
	return strings.ReplaceAll(text, "_", "")
}

// unit reads digits with letters behind them, text[from:stop]; the number
// alone has the given kind.
func (s *scanner) unit(from, stop int, kind token.Kind) {
	s.pos = stop
	text, place := s.text[from:stop], s.span(from, stop)
	if kind != token.Int {
		s.diags.Add(say.FractionOfUnit(place, text))
		s.emit(token.Duration, from, stop, "0s")
		return
	}
	if len(text) > 1 && text[0] == '0' && strings.IndexByte("xXbBoO", text[1]) >= 0 {
		s.diags.Add(say.BadNumber(place, text, "numbers are written in decimal, as in 31"))
		s.emit(token.Int, from, stop, "0")
		return
	}
	value := plainDigits(text)
	if unit, why := checkDuration(text); why != "" {
		s.diags.Add(say.BadUnit(place, text, unit, why))
		value = "0s"
	}
	s.emit(token.Duration, from, stop, value)
}

// units in the order in which they stand in a duration.
const units = " d h m s ms us ns "

// checkDuration says why a duration is wrong, "" if it is not, and which unit it
// is that does not exist.
func checkDuration(text string) (unit, why string) {
	last := -1
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && (isDigit(text[j]) || text[j] == '_') {
			j++
		}
		k := j
		for k < len(text) && !isDigit(text[k]) {
			k++
		}
		digits, unit := text[i:j], text[j:k]
		place := strings.Index(units, " "+unit+" ")
		switch {
		case unit == "":
			return unit, "every number of a duration has a unit"
		case place < 0 || strings.Contains(unit, " "):
			return unit, "the units are d, h, m, s, ms, us and ns"
		case place <= last:
			return "", "in a duration each unit stands once, the larger first"
		}
		if why := badDigits(digits); why != "" {
			return "", why
		}
		last = place
		i = k
	}
	return "", ""
}
