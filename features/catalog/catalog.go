// Package catalog lists what the systems' documents promise, a file a system. Its ids are the tags of scenarios, the
// marks of load profiles and the rows of every report.
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

// Kind is the sort of promise.
type Kind string

// The kinds.
const (
	Pattern Kind = "pattern" // an access pattern, made on the wire as documented
	Rule    Kind = "rule"    // validation, idempotency, lifetime, security
	Ops     Kind = "ops"     // provisioning, change, recovery
	Defect  Kind = "defect"  // the document contradicts itself or DynamoDB; "Decided" says what holds here
	Load    Kind = "load"    // a rate or size, proved by a load profile
	Cost    Kind = "cost"    // a cost, computed from what was consumed
)

// ByLoad reports whether a load profile proves entries of this kind; scenarios prove the others.
func (k Kind) ByLoad() bool { return k == Load || k == Cost }

// Entry is one promise.
type Entry struct {
	ID   string `yaml:"id"` // such as TL-P1; the part before the dash is the system
	Kind Kind   `yaml:"kind"`
	Says string `yaml:"says"`
	// Clauses are what the promise consists of, where it consists of several things that can be broken one by one: each
	// needs a proof of its own.
	Clauses Clauses `yaml:"clauses"`
}

// Clause is a part of a promise that can be broken while the rest of it is kept.
type Clause struct {
	ID   string // of the entry and its own, such as KF-R5.retry: the tag of the scenarios that prove it
	Says string
}

// Clauses are those of one entry, in their order.
type Clauses []Clause

// UnmarshalYAML reads a mapping of names to sentences.
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
	Version string `yaml:"version"` // of its locked document
}

// Catalog is the whole list, in the order of the files' names and of the entries in each.
type Catalog struct {
	Systems map[string]System `yaml:"systems"`
	Entries []Entry           `yaml:"entries"`
}

//go:embed *.yaml
var files embed.FS

// Read returns the built-in catalogue. A field that is not known is an error.
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

// Promises reports whether id is that of a clause, or of an entry without clauses.
func (c Catalog) Promises(id string) bool {
	for _, e := range c.Entries {
		if e.ID == id && len(e.Clauses) == 0 || slices.ContainsFunc(e.Clauses, func(one Clause) bool { return one.ID == id }) {
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
	if err := in.Decode(&part); err != nil && !errors.Is(err, io.EOF) { // a file may hold comments alone
		return part, err
	}
	return part, nil
}
