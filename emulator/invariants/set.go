package invariants

import (
	"os"
	"slices"

	"github.com/tabletop-db/tabletop/internal/util/yamlfile"
)

// Set is the invariants of a file.
type Set struct {
	Invariants []Invariant `yaml:"invariants"`
}

// Invariant is one thing that must hold. Exactly one of Each, Sum, Unique, Has, Composed and Finds says what.
type Invariant struct {
	Name         string   `yaml:"name"`         // a sentence, such as: each order has exactly one payment
	Requirements []string `yaml:"requirements"` // ids of the documented requirements that it states; printed with a break

	Table    string            `yaml:"table"`    // of DynamoDB; not for Finds
	Only     string            `yaml:"only"`     // condition on the items that it is about; default all
	Each     string            `yaml:"each"`     // condition that each item meets, with names and values in place
	Sum      *Sum              `yaml:"sum"`      // of a number
	Unique   []string          `yaml:"unique"`   // attributes that no two items share; those without one are left out
	Has      *Has              `yaml:"has"`      // other items that belong to each item
	Composed map[string]string `yaml:"composed"` // attributes, with the pattern of other attributes that each equals
	Finds    string            `yaml:"finds"`    // statement in PartiQL, or query of Cosmos DB, that finds nothing

	// Cosmos is the container of the query of Finds, or takes the place of Table; Only is then a condition in SQL.
	Cosmos *Container `yaml:"cosmos"`
}

// Sum is the sum of an attribute over all items of a table. Items without it count as zero.
type Sum struct {
	Of     string `yaml:"of"`
	Equals Number `yaml:"equals"`
}

// Has is how many items of another table belong to each item: Count, a number from AtLeast to AtMost, or CountIn.
type Has struct {
	In   string `yaml:"in"`   // table, or container of the same database; may be the same
	Only string `yaml:"only"` // condition on the items that count; default all
	// Where is attributes of that table, with the attribute of the item that each equals, or a pattern as of Composed.
	Where   map[string]string `yaml:"where"`
	Count   *int              `yaml:"count"`    // exactly
	AtLeast *int              `yaml:"at_least"` // default 0
	AtMost  *int              `yaml:"at_most"`  // default unlimited
	CountIn string            `yaml:"count_in"` // attribute of the item with the exact number
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

// Join returns the invariants of several sets as one; a nil set has none.
func Join(sets ...*Set) *Set {
	all := new(Set)
	for _, s := range sets {
		if s != nil {
			all.Invariants = append(all.Invariants, s.Invariants...)
		}
	}
	return all
}

// HasCosmos reports whether an invariant is about a container of Cosmos DB.
func (s *Set) HasCosmos() bool {
	return slices.ContainsFunc(s.Invariants, func(v Invariant) bool { return v.Cosmos != nil })
}
