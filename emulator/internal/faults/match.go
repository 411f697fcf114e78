package faults

import (
	"slices"
	"strings"
)

// Request describes a request to the rules.
type Request struct {
	Operation string
	// Callers are the names of the caller: access key, user, role, ARN. One of them has to match.
	Callers []string
	// Resources are the tables and items that the request names, in order; of a batch, each member. A request without a
	// table has none.
	Resources []Resource
	Client    string // the user agent
	Trace     string // the header that names the trace; empty: none
	Body      []byte
	// Properties of the request that some actions require.
	Eventual   bool // an eventually consistent read
	Batch      bool // its members, each one of Touches, can be unprocessed
	Writes     bool // items
	HoldsItems bool // it keeps its items in use for a while
	// Transaction means that it can conflict with any other write of its items.
	Transaction bool
	Conflicts   bool // it can conflict with another transaction
	Pages       bool // it returns a page of items, and a token for the next
	Stream      bool // it returns records of a stream, and a token for the next
}

// Resource is a table, or an item of one, that a request names.
type Resource struct {
	Table string
	// Partition and Sort are the item's key, as in a Rule. Without a partition key the request is not for a single
	// item.
	Partition, Sort string
}

// matches reports whether a rule matches a request.
func (r *Rule) matches(s *Request) bool {
	if !s.allows(r.Do) {
		return false
	}
	if !matchesAny(r.Operations, s.Operation) || !matchesAny(r.Identities, s.Callers...) {
		return false
	}
	if len(r.Tables) == 0 && r.PartitionKey == "" {
		return true
	}
	return slices.ContainsFunc(s.Resources, r.matchesResource)
}

// allows reports whether an action can apply to the request.
func (s *Request) allows(a Action) bool {
	switch a {
	case Stale:
		return s.Eventual
	case Unprocessed:
		return s.Batch
	case Hold:
		return s.HoldsItems
	case Conflict:
		return s.Conflicts
	case ShortPage:
		return s.Pages
	case Redeliver:
		return s.Stream
	}
	return true
}

// matchesResource reports whether a rule matches a table or item of a request.
func (r *Rule) matchesResource(t Resource) bool {
	return matchesAny(r.Tables, t.Table) &&
		(r.PartitionKey == "" || r.PartitionKey == t.Partition) &&
		(r.SortKey == "" || r.SortKey == t.Sort)
}

// matchesAny reports whether one of the names matches one of the patterns. Without patterns everything matches.
func matchesAny(patterns []string, names ...string) bool {
	for _, pattern := range patterns {
		for _, name := range names {
			if matchesPattern(pattern, name) {
				return true
			}
		}
	}
	return len(patterns) == 0
}

// matchesPattern reports whether a name matches a pattern, in which each * matches any text.
func matchesPattern(pattern, name string) bool {
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

// markUnprocessed marks the members of a batch that are returned as unprocessed: the last ones of those that the rule
// matches.
func (r *Rule) markUnprocessed(undone []bool, touches []Resource) []bool {
	var about []int
	for i, t := range touches {
		if r.matchesResource(t) {
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
