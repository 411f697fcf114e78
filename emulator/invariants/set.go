package invariants

import (
	"fmt"
	"os"
	"slices"

	"github.com/tabletop-db/tabletop/internal/model/condition"
	"github.com/tabletop-db/tabletop/internal/util/yamlfile"
)

// Set is the invariants of a file.
type Set struct {
	Invariants []Invariant `yaml:"invariants"`
}

// Invariant is one thing that must hold. Exactly one of Each, Sum, Unique, Has and Finds says what.
type Invariant struct {
	Name   string   `yaml:"name"`   // a sentence, such as: each order has exactly one payment
	Table  string   `yaml:"table"`  // of DynamoDB; not for Finds
	Each   string   `yaml:"each"`   // condition that each item meets, with names and values in place
	Sum    *Sum     `yaml:"sum"`    // of a number
	Unique []string `yaml:"unique"` // attributes that no two items share; items without one of them are left out
	Has    *Has     `yaml:"has"`    // other items that belong to each item
	Finds  string   `yaml:"finds"`  // statement in PartiQL, or query of Cosmos DB, that finds nothing

	Cosmos *Container `yaml:"cosmos"` // of Finds: the container of the query
}

// Sum is the sum of an attribute over all items of a table. Items without it count as zero.
type Sum struct {
	Of     string `yaml:"of"`
	Equals Number `yaml:"equals"`
}

// Has is how many items of another table belong to each item.
type Has struct {
	In    string            `yaml:"in"`    // table; may be the same
	Where map[string]string `yaml:"where"` // attributes of that table, with the attributes of the item that they equal
	Count int               `yaml:"count"` // exactly
}

// Container is a container of Cosmos DB.
type Container struct {
	Database  string `yaml:"database"`
	Container string `yaml:"container"`
}

// Read reads a file of invariants. Errors are one line, with the line of the file and the remedy.
func Read(file string) (*Set, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// Parse parses a file of invariants by its name, as Read does.
func Parse(name string, text []byte) (*Set, error) {
	var s Set
	f, err := yamlfile.Read(name, text, &s)
	if err != nil {
		return nil, err
	}
	if len(s.Invariants) == 0 {
		return nil, f.Errorf([]any{"invariants"}, "no invariants: give each as - name: …")
	}
	named := map[string]bool{}
	for i := range s.Invariants {
		v := &s.Invariants[i]
		if err := v.check(); err != nil {
			return nil, f.Errorf([]any{"invariants", i}, "%v", err)
		}
		if named[v.Name] {
			return nil, f.Errorf([]any{"invariants", i, "name"}, "there are two invariants %q: name them differently", v.Name)
		}
		named[v.Name] = true
	}
	return &s, nil
}

// HasCosmos reports whether an invariant is about a container of Cosmos DB.
func (s *Set) HasCosmos() bool {
	return slices.ContainsFunc(s.Invariants, func(v Invariant) bool { return v.Cosmos != nil })
}

// check returns what is wrong with an invariant, and the remedy.
func (v *Invariant) check() error {
	if v.Name == "" {
		return fmt.Errorf("an invariant needs a name: write what must hold, as in name: the stock is never negative")
	}
	says := 0
	for _, given := range []bool{v.Each != "", v.Sum != nil, len(v.Unique) > 0, v.Has != nil, v.Finds != ""} {
		if given {
			says++
		}
	}
	switch {
	case says != 1:
		return fmt.Errorf("%q: use exactly one of each, sum, unique, has and finds", v.Name)
	case v.Finds != "" && v.Table != "":
		return fmt.Errorf("%q: finds names its table itself: remove table", v.Name)
	case v.Finds == "" && v.Table == "":
		return fmt.Errorf("%q: name the table, as in table: orders", v.Name)
	case v.Cosmos != nil && v.Finds == "":
		return fmt.Errorf("%q: cosmos is the container of finds", v.Name)
	case v.Cosmos != nil && (v.Cosmos.Database == "" || v.Cosmos.Container == ""):
		return fmt.Errorf("%q: name both, as in cosmos: {database: shop, container: orders}", v.Name)
	case v.Has != nil && (v.Has.In == "" || len(v.Has.Where) == 0 || v.Has.Count < 0):
		return fmt.Errorf("%q: write has as {in: payments, where: {order: id}, count: 1}", v.Name)
	case v.Sum != nil && (v.Sum.Of == "" || v.Sum.Equals.value == nil):
		return fmt.Errorf("%q: write sum as {of: balance, equals: 100}", v.Name)
	}
	if _, err := new(condition.Expressions).Condition(v.Each); err != nil {
		return fmt.Errorf("%q: each: %w", v.Name, err)
	}
	return nil
}
