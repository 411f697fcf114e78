package profile

import (
	"fmt"
	"math"
	"slices"

	"gopkg.in/yaml.v3"
)

// Access is the use of the database that one kind of request may make: which calls, how many, and their charges. A call
// that is not listed fails it, and so does a listed call that is made more or less often.
type Access struct {
	ID      string          `yaml:"id" json:"id"`           // the catalogue entry that it decides
	Request string          `yaml:"request" json:"request"` // a request of the mix
	Reads   *Span           `yaml:"reads" json:"reads,omitempty"`
	Writes  *Span           `yaml:"writes" json:"writes,omitempty"`
	Units   *Span           `yaml:"request_units" json:"request_units,omitempty"` // Cosmos DB
	Calls   map[string]Span `yaml:"calls" json:"calls,omitempty"`                 // by access path
}

// Span is the mean per request: one number, or a minimum and a maximum. A single number has a tolerance of 5%, because
// calls that the database throttles are repeated.
type Span struct {
	Min float64 `json:"Least"`
	Max float64 `json:"Most"`
}

// UnmarshalYAML reads a number, or a list of the minimum and the maximum.
func (s *Span) UnmarshalYAML(node *yaml.Node) error {
	pair := []float64{0}
	var err error
	if node.Kind == yaml.ScalarNode {
		err = node.Decode(&pair[0])
		pair = append(pair, pair[0])
	} else {
		err = node.Decode(&pair)
	}
	if err != nil {
		return err
	}
	if len(pair) != 2 || !(pair[0] >= 0 && pair[1] >= pair[0]) || math.IsInf(pair[1], 0) {
		return fmt.Errorf("line %d: must be a number from 0, or a list of the minimum and the maximum", node.Line)
	}
	s.Min, s.Max = pair[0], pair[1]
	return nil
}

func (a Access) validate(p *Profile) error {
	switch {
	case !profileID.MatchString(a.ID):
		return fmt.Errorf("id %q: must be the catalogue entry that it decides, such as TL-L4", a.ID)
	case !slices.ContainsFunc(p.Mix, func(part Part) bool { return part.Request == a.Request }):
		return fmt.Errorf("no request %q in the mix", a.Request)
	case a.Reads == nil && a.Writes == nil && a.Units == nil && len(a.Calls) == 0:
		return fmt.Errorf("%s: needs calls, reads, writes or request_units", a.Request)
	}
	return nil
}
