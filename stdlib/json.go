package stdlib

import (
	"errors"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// jsonModule is the module Json.
func jsonModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Json.parse(text: String, schema?: Schema(A)) -> A", jsonParse,
			"Reads a JSON text. A number without fraction and exponent is an Int, any other a Decimal, exactly; an Int beyond 64 bits is refused. With a type or JSON Schema the value is made to fit it.",
			`Json.parse("{\"id\": 7615917337495251231, \"price\": 12.50}") == { id: 7615917337495251231, price: 12.50 }`,
			`Json.parse("{\"qty\": 2, \"price\": 3}", { qty: Int, price: Decimal }).price == 3.0`),
		pure("Json.encode(value: Any) -> String", jsonEncode,
			"Writes a value as JSON on one line. Decimals keep their digits; Times, Durations and handles become texts, variants objects with their name under `type`.",
			`Json.encode({ price: 12.50, tags: ["a", nil] }) == "{\"price\":12.50,\"tags\":[\"a\",null]}"`),
		pure("Json.pretty(value: Any, indent?: Int) -> String", jsonPretty,
			"Writes a value as JSON on several lines, indented by 2 blanks or another number.",
			`Json.pretty({ a: [1] }) == "{\n  \"a\": [\n    1\n  ]\n}"`),
		pure("Json.get(value: Any, path: String, default?: Any) -> Any", jsonGet,
			"Gives what stands at a path: names and indices with dots or in brackets, as in `items[0].sku`. What is not there, or nil, is the default, or nil.",
			`Json.get({ items: [{ sku: "a" }] }, "items[0].sku") == "a"`, `Json.get({ a: 1 }, "b.c", "none") == "none"`,
			`Json.get({ "a b": [1, 2] }, "[\"a b\"][-1]") == 2`),
	}
}

func jsonParse(c call) (value.Value, error) {
	v, err := value.FromJSONWithin([]byte(c.text(0)), maxMade)
	var bad *value.Error
	if errors.As(err, &bad) && bad.Code == value.CodeSize {
		return value.Nil, c.tooLarge(err)
	}
	if err != nil || !c.given(1) {
		return v, err
	}
	return c.fitted(v, c.args[1])
}

func jsonEncode(c call) (value.Value, error) {
	b, err := c.encoded()
	return value.String(string(b)), err
}

// encoded is the first argument as JSON.
func (c call) encoded() ([]byte, error) {
	if err := c.Hold(c.args[0].Size()); err != nil { // about as much as the value
		return nil, err
	}
	return value.ToJSON(c.args[0])
}

// maxIndent is how many blanks a level may be indented by.
const maxIndent = 16

func jsonPretty(c call) (value.Value, error) {
	n := c.intOr(1, 2)
	if n < 0 || n > maxIndent {
		return value.Nil, c.fault(value.CodeRange, "the indent lies between 0 and %d, and it is %d", maxIndent, n)
	}
	b, err := c.encoded()
	if err != nil {
		return value.Nil, err
	}
	p := prettyJSON{c: c, indent: int(n)}
	if err := p.write(b); err != nil {
		return value.Nil, err
	}
	return value.String(string(p.out)), nil
}

// prettyJSON puts blanks and line breaks into a JSON text without any.
type prettyJSON struct {
	c      call
	indent int
	depth  int
	out    []byte
	paid   int // bytes of out
}

func (p *prettyJSON) line() error {
	n := p.depth * p.indent
	if grown := len(p.out) + n + 1; grown > p.paid+4096 {
		if err := p.c.Hold(grown - p.paid); err != nil {
			return err
		}
		p.paid = grown
	}
	p.out = append(p.out, '\n')
	for range n {
		p.out = append(p.out, ' ')
	}
	return nil
}

func (p *prettyJSON) write(b []byte) error {
	for i := 0; i < len(b); i++ {
		var err error
		switch ch := b[i]; ch {
		case '"':
			end := stringEnd(b, i)
			p.out = append(p.out, b[i:end]...)
			i = end - 1
		case '{', '[':
			p.out = append(p.out, ch)
			if b[i+1] == ch+2 { // } is two behind {, ] behind [
				p.out = append(p.out, ch+2)
				i++
				break
			}
			p.depth++
			err = p.line()
		case '}', ']':
			p.depth--
			err = p.line()
			p.out = append(p.out, ch)
		case ',':
			p.out = append(p.out, ch)
			err = p.line()
		case ':':
			p.out = append(p.out, ':', ' ')
		default:
			p.out = append(p.out, ch)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stringEnd is behind the string that begins at i.
func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}
