package doc

import (
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
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
	defer p.releaseMembers()
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	return v, p.r.End()
}

type parser struct {
	r       jsonread.Reader
	members *[]Member // of the objects being parsed, outermost first; nil: there was no object
}

// membersInProgress is the memory of parsers' members.
var membersInProgress = poison.Pool{New: func() any {
	members := make([]Member, 0, fewMembers)
	return &members
}}

// releaseMembers makes the memory of the members available to other parsers, unless a document made it large.
func (p *parser) releaseMembers() {
	if p.members == nil || cap(*p.members) > 4*fewMembers {
		return
	}
	*p.members = (*p.members)[:0]
	clear((*p.members)[:cap(*p.members)])
	membersInProgress.Put(p.members)
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
		p.members = membersInProgress.Get().(*[]Member)
	}
	all := p.members
	from := len(*all)
	seen := nameIndex{}
	err := p.r.Object(func(key []byte) error {
		name := string(key)
		v, err := p.value(depth + 1)
		if i := seen.find((*all)[from:], name); i >= 0 {
			(*all)[from+i].Value = v
			return err
		}
		*all = append(*all, Member{name, v})
		seen.add((*all)[from:])
		return err
	})
	members := make([]Member, len(*all)-from)
	copy(members, (*all)[from:])
	*all = (*all)[:from]
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
