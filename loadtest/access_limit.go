package loadtest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Access is what one kind of request may do to the database: which calls it makes, how often, and what these are charged. A call
// that is not listed misses it, as does a listed one that is made more or less often.
type Access struct {
	ID      string          `yaml:"id" json:"id"`           // the catalogue entry that it decides
	Request string          `yaml:"request" json:"request"` // of the mix
	Reads   *Span           `yaml:"reads" json:"reads,omitempty"`
	Writes  *Span           `yaml:"writes" json:"writes,omitempty"`
	Units   *Span           `yaml:"request_units" json:"request_units,omitempty"` // of Cosmos DB
	Calls   map[string]Span `yaml:"calls" json:"calls,omitempty"`                 // by access path
}

// Span is a number, or the least and the most that it may be, of one request in the mean. A number may be off by a
// twentieth: a call that the database had no time for is made again.
type Span struct{ Least, Most float64 }

// UnmarshalYAML reads a number, or a list of the least and the most.
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
		return fmt.Errorf("line %d: give a number from 0, or a list of the least and the most", node.Line)
	}
	s.Least, s.Most = pair[0], pair[1]
	return nil
}

func (s Span) String() string {
	if s.Least == s.Most {
		return number(s.Least)
	}
	return number(s.Least) + " to " + number(s.Most)
}

// holds reports whether a mean is within the span.
func (s Span) holds(v float64) bool {
	if s.Least == s.Most {
		return math.Abs(v-s.Least) <= s.Least/20
	}
	return v >= s.Least && v <= s.Most
}

func (a Access) validate(p *Profile) error {
	switch {
	case !profileID.MatchString(a.ID):
		return fmt.Errorf("id %q: write the catalogue entry that it decides, such as TL-L4", a.ID)
	case !slices.ContainsFunc(p.Mix, func(part Part) bool { return part.Request == a.Request }):
		return fmt.Errorf("no request %q in the mix", a.Request)
	case a.Reads == nil && a.Writes == nil && a.Units == nil && len(a.Calls) == 0:
		return fmt.Errorf("%s: give calls, reads, writes or request_units", a.Request)
	}
	return nil
}

// verdicts decides what a kind of request may do.
func (a Access) verdicts(r *Report) (list []Verdict) {
	i := slices.IndexFunc(r.Kinds, func(k KindStats) bool { return k.Request == a.Request })
	var k KindStats
	if i >= 0 {
		k = r.Kinds[i]
	}
	for _, c := range []struct {
		of   string
		span *Span
		sum  float64
	}{{"read units", a.Reads, k.ReadUnits}, {"write units", a.Writes, k.WriteUnits}, {"request units", a.Units, k.RequestUnits}} {
		if c.span == nil {
			continue
		}
		mean := c.sum / float64(max(k.Metered, 1))
		list = append(list, a.verdict(c.of, c.span.String()+" for one request", number(mean), c.span.holds(mean), k.Metered, ""))
	}
	if len(a.Calls) > 0 {
		measured, wrong := a.compare(k.Calls)
		list = append(list, a.verdict("calls", fmt.Sprintf("the %d access paths of the profile", len(a.Calls)), measured, wrong == "", k.Metered, wrong))
	}
	return list
}

func (a Access) verdict(of, limit, measured string, holds bool, metered int64, remark string) Verdict {
	v := Verdict{ID: a.ID, Metric: of + " of " + a.Request, Limit: limit, Measured: measured, State: Held, Remark: remark}
	switch {
	case metered == 0:
		v.State, v.Measured, v.Remark = Unmeasured, "no meter is around the backend, or the run had none of it", ""
	case !holds:
		v.State = Missed
	}
	return v
}

// compare says how many of the listed calls are made as listed, and which is not.
func (a Access) compare(made []Call) (measured, wrong string) {
	var faults []string
	asListed := len(a.Calls)
	for path, span := range a.Calls {
		i := slices.IndexFunc(made, func(c Call) bool { return c.Path == path })
		times := 0.0
		if i >= 0 {
			times = made[i].Times
		}
		if !span.holds(times) {
			asListed--
			faults = append(faults, fmt.Sprintf("%s %s times, not %s", path, number(times), span))
		}
	}
	for _, c := range made {
		if _, listed := a.Calls[c.Path]; !listed {
			faults = append(faults, fmt.Sprintf("%s %s times, which is not listed", c.Path, number(c.Times)))
		}
	}
	slices.Sort(faults)
	measured = fmt.Sprintf("%d as listed", asListed)
	if len(faults) > 0 {
		measured += "; " + faults[0]
	}
	return measured, strings.Join(faults, "; ")
}
