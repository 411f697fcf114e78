// Package catalog lists the requirements of the systems' documents, one file per system. Its ids are the tags of
// scenarios, the ids of load profiles' limits, and the rows of every report.
package catalog

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
)

// Kind is the kind of a requirement.
type Kind string

// The kinds.
const (
	Pattern Kind = "pattern" // an access pattern, performed on the wire as documented
	Rule    Kind = "rule"    // validation, idempotency, lifetime, security
	Ops     Kind = "ops"     // provisioning, change, recovery
	Defect  Kind = "defect"  // the document contradicts itself or DynamoDB; "Decided" says what Tabletop does
	Load    Kind = "load"    // a rate or size, verified by a load profile
	Cost    Kind = "cost"    // a cost, computed from the consumed units
)

// ByLoad reports whether load profiles verify entries of this kind. Scenarios verify the others.
func (k Kind) ByLoad() bool { return k == Load || k == Cost }

// Entry is one requirement.
type Entry struct {
	ID   string `yaml:"id"` // such as TL-P1; the part before the dash is the system
	Kind Kind   `yaml:"kind"`
	Says string `yaml:"says"`
	// Clauses are the parts of a requirement that can break one by one, if it has several. Each needs scenarios of its
	// own.
	Clauses Clauses `yaml:"clauses"`
}

// Clause is a part of a requirement that can break while the rest holds.
type Clause struct {
	ID   string // the entry's id, a dot and its own name, such as KF-R5.retry: the tag of its scenarios
	Says string
}

// Clauses are the clauses of one entry, in order.
type Clauses []Clause

// UnmarshalYAML reads a mapping from names to sentences.
func (c *Clauses) UnmarshalYAML(from *yaml.Node) error {
	if from.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: clauses are names with a sentence each", from.Line)
	}
	for i := 0; i+1 < len(from.Content); i += 2 {
		*c = append(*c, Clause{from.Content[i].Value, from.Content[i+1].Value})
	}
	return nil
}

// System is one documented system.
type System struct {
	Name    string `yaml:"name"`
	Package string `yaml:"package"` // its folder in backend and features
	Version string `yaml:"version"` // version of its locked document
}

// Catalog is the complete list, ordered by file name and by the position in each file.
type Catalog struct {
	Systems map[string]System `yaml:"systems"`
	Entries []Entry           `yaml:"entries"`
}

//go:embed *.yaml
var files embed.FS

// Read returns the built-in catalogue. An unknown field is an error.
func Read() (Catalog, error) {
	c := Catalog{Systems: map[string]System{}}
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return c, err
	}
	for _, name := range names {
		part, err := read(name)
		if err != nil {
			return c, fmt.Errorf("the catalogue cannot be read: %s: %w", name, err)
		}
		maps.Copy(c.Systems, part.Systems)
		c.Entries = append(c.Entries, part.Entries...)
	}
	for _, e := range c.Entries {
		for i := range e.Clauses {
			e.Clauses[i].ID = e.ID + "." + e.Clauses[i].ID
		}
	}
	return c, nil
}

// IsRequirement reports whether id names a clause, or an entry without clauses.
func (c Catalog) IsRequirement(id string) bool {
	for _, e := range c.Entries {
		if e.ID == id && len(e.Clauses) == 0 || slices.ContainsFunc(e.Clauses, func(one Clause) bool {
			return one.ID == id
		}) {
			return true
		}
	}
	return false
}

func read(name string) (Catalog, error) {
	var part Catalog
	text, err := files.ReadFile(name)
	if err != nil {
		return part, err
	}
	in := yaml.NewDecoder(bytes.NewReader(text))
	in.KnownFields(true)
	if err := in.Decode(&part); err != nil && !errors.Is(err, io.EOF) { // a file may contain only comments
		return part, err
	}
	return part, nil
}
