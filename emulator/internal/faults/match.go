package faults

import (
	"slices"
	"strings"
)

// Subject is a request as rules see it.
type Subject struct {
	Operation string
	// Who are the names of whoever asks: access key, user, role, ARN. One of them has to fit.
	Who []string
	// Touches is what the request names, in its order; of a batch each member. A request about no table has none.
	Touches []Touch
	// What can be done to it: a rule for something else is not about it.
	Eventual bool // it is an eventually consistent read
	Batch    bool // its members can come back undone, each one of Touches
	Holds    bool // it uses its items for a while
}

// Touch is a table, or an item of one, that a request names.
type Touch struct {
	Table string
	// Partition and Sort are the item's key, as a Rule has it. Without a partition key the request is about no one
	// item.
	Partition, Sort string
}

// fits says whether a rule is about a request.
func (r *Rule) fits(s *Subject) bool {
	if r.Do == Stale && !s.Eventual || r.Do == Unprocessed && !s.Batch || r.Do == Hold && !s.Holds {
		return false
	}
	if !some(r.Operations, s.Operation) || !some(r.Identities, s.Who...) {
		return false
	}
	if len(r.Tables) == 0 && r.PartitionKey == "" {
		return true
	}
	return slices.ContainsFunc(s.Touches, r.fitsTouch)
}

// fitsTouch says whether a rule is about one of the things that a request names.
func (r *Rule) fitsTouch(t Touch) bool {
	return some(r.Tables, t.Table) &&
		(r.PartitionKey == "" || r.PartitionKey == t.Partition) &&
		(r.SortKey == "" || r.SortKey == t.Sort)
}

// some says whether one of the names fits one of the patterns; no patterns fit everything.
func some(patterns []string, names ...string) bool {
	for _, pattern := range patterns {
		for _, name := range names {
			if like(pattern, name) {
				return true
			}
		}
	}
	return len(patterns) == 0
}

// like says whether a name is a pattern's, in which each * stands for any text.
func like(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	first, rest := parts[0], parts[1:]
	name, ok := strings.CutPrefix(name, first)
	if !ok || len(rest) == 0 {
		return ok && name == ""
	}
	last := rest[len(rest)-1]
	for _, part := range rest[:len(rest)-1] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return strings.HasSuffix(name, last)
}

// spare says which members of a batch come back undone: the last ones of those that the rule is about.
func (r *Rule) spare(undone []bool, touches []Touch) []bool {
	var about []int
	for i, t := range touches {
		if r.fitsTouch(t) {
			about = append(about, i)
		}
	}
	n := r.Members
	if r.Fraction > 0 {
		n = ceil(r.Fraction * float64(len(about)))
	}
	if undone == nil {
		undone = make([]bool, len(touches))
	}
	for _, i := range about[max(0, len(about)-n):] {
		undone[i] = true
	}
	return undone
}

func ceil(f float64) int {
	n := int(f)
	if float64(n) < f {
		n++
	}
	return n
}
