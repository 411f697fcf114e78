package metrics

import (
	"cmp"
	"slices"
	"strings"
)

// Namespace is the namespace of DynamoDB's metrics.
const Namespace = "AWS/DynamoDB"

// Dimension is a dimension of a metric.
type Dimension struct{ Name, Value string }

// ID identifies a metric. Dimensions are in the order of their names; see [NewID].
type ID struct {
	Account    string // a space of tables; empty without isolation
	Namespace  string
	Name       string
	Dimensions []Dimension
}

// NewID returns an ID. The dimensions may be in any order.
func NewID(account, namespace, name string, dimensions ...Dimension) ID {
	sorted := slices.Clone(dimensions)
	slices.SortFunc(sorted, func(a, b Dimension) int { return cmp.Compare(a.Name, b.Name) })
	return ID{account, namespace, name, sorted}
}

// Key returns the ID as a unique string.
func (id ID) Key() string { return id.key() }

// key returns the ID as one string. It is unique, because no part may contain the separator.
func (id ID) key() string {
	var b strings.Builder
	for _, part := range []string{id.Account, id.Namespace, id.Name} {
		b.WriteString(strings.ReplaceAll(part, "\x00", "\x01"))
		b.WriteByte(0)
	}
	for _, d := range id.Dimensions {
		b.WriteString(d.Name)
		b.WriteByte(0)
		b.WriteString(d.Value)
		b.WriteByte(0)
	}
	return b.String()
}

// Value returns the value of a dimension, or an empty string if the metric does not have it.
func (id ID) Value(dimension string) string {
	for _, d := range id.Dimensions {
		if d.Name == dimension {
			return d.Value
		}
	}
	return ""
}

func compareIDs(a, b ID) int {
	return cmp.Or(
		cmp.Compare(a.Account, b.Account),
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name),
		slices.CompareFunc(a.Dimensions, b.Dimensions, func(a, b Dimension) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
		}),
	)
}
