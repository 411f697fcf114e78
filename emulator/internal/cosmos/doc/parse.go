package doc

import (
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// MaxDepth is the maximum nesting depth of objects and arrays in a document ("Azure Cosmos DB service quotas", per-item
// limits).
const MaxDepth = 128

// ErrDepth is the error for a document nested more deeply than MaxDepth.
var ErrDepth = fmt.Errorf("the document is nested deeper than %d levels", MaxDepth)

// ErrNumber is the error for a number out of the range of a double.
var ErrNumber = errors.New("a number is beyond the range of IEEE 754 doubles")

// Parse parses a JSON document. Of duplicate names the last value counts. Errors: ErrDepth, ErrNumber,
// jsonread.ErrSyntax. The value does not alias text.
func Parse(text []byte) (Value, error) {
	r, err := jsonread.New(text)
	if err != nil {
		return Value{}, err
	}
	p := parser{r: r}
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	return v, p.r.End()
}

type parser struct {
	r       jsonread.Reader
	members []Member // of the objects being parsed, outermost first
}

func (p *parser) value(depth int) (Value, error) {
	if depth > MaxDepth {
		return Value{}, ErrDepth
	}
	switch p.r.Kind() {
	case '{':
		return p.object(depth)
	case '[':
		return p.array(depth)
	case '"':
		s, err := p.r.String()
		return String(s), err
	case 't', 'f':
		b, err := p.r.Bool()
		return Bool(b), err
	case 'n':
		return NullValue(), p.r.Null()
	case '0':
		return p.number()
	}
	return Value{}, jsonread.ErrSyntax
}

func (p *parser) number() (Value, error) {
	text, err := p.r.Number()
	if err != nil {
		return Value{}, err
	}
	return parseNumber(string(text))
}

func (p *parser) array(depth int) (Value, error) {
	elements := []Value{}
	err := p.r.Array(func() error {
		v, err := p.value(depth + 1)
		elements = append(elements, v)
		return err
	})
	return Array(elements...), err
}

func (p *parser) object(depth int) (Value, error) {
	if p.members == nil {
		p.members = make([]Member, 0, fewMembers/2)
	}
	from := len(p.members)
	seen := nameIndex{}
	err := p.r.Object(func(key []byte) error {
		name := string(key)
		v, err := p.value(depth + 1)
		if i := seen.find(p.members[from:], name); i >= 0 {
			p.members[from+i].Value = v
			return err
		}
		p.members = append(p.members, Member{name, v})
		seen.add(p.members[from:])
		return err
	})
	members := make([]Member, len(p.members)-from)
	copy(members, p.members[from:])
	p.members = p.members[:from]
	return Object(members...), err
}

// nameIndex finds duplicate names. It scans small objects and uses a map for large ones, because scanning takes
// quadratic time.
type nameIndex struct{ at map[string]int }

const fewMembers = 16

func (s *nameIndex) find(members []Member, name string) int {
	if s.at != nil {
		if i, ok := s.at[name]; ok {
			return i
		}
		return -1
	}
	for i := range members {
		if members[i].Name == name {
			return i
		}
	}
	return -1
}

// add records the last of members.
func (s *nameIndex) add(members []Member) {
	last := len(members) - 1
	switch {
	case s.at != nil:
		s.at[members[last].Name] = last
	case len(members) > fewMembers:
		s.at = make(map[string]int, 2*len(members))
		for i := range members {
			s.at[members[i].Name] = i
		}
	}
}
