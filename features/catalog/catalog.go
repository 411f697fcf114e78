// Package catalog lists what the systems' documents promise. Its ids are the tags of scenarios, the marks of load
// profiles and the rows of every report.
package catalog

import (
	_ "embed"
	"fmt"
	"maps"

	"gopkg.in/yaml.v3"
)

// Kind is the sort of promise.
type Kind string

// The kinds; catalog.yaml explains them.
const (
	Pattern Kind = "pattern"
	Rule    Kind = "rule"
	Ops     Kind = "ops"
	Defect  Kind = "defect"
	Load    Kind = "load"
	Cost    Kind = "cost"
)

// ByLoad reports whether a load profile proves entries of this kind; scenarios prove the others.
func (k Kind) ByLoad() bool { return k == Load || k == Cost }

// Entry is one promise.
type Entry struct {
	ID   string `yaml:"id"` // such as TL-P1; the part before the dash is the system
	Kind Kind   `yaml:"kind"`
	Says string `yaml:"says"`
}

// System is one documented system.
type System struct {
	Name    string `yaml:"name"`
	Package string `yaml:"package"` // its folder in backend and features
	Version string `yaml:"version"` // of its locked document
}

// Catalog is the whole list, in the order of the file.
type Catalog struct {
	Systems map[string]System `yaml:"systems"`
	Entries []Entry           `yaml:"entries"`
}

// The systems' promises, and those of the emulator itself.
var (
	//go:embed catalog.yaml
	systems []byte
	//go:embed service.yaml
	service []byte
)

// Read returns the built-in catalogue.
func Read() (Catalog, error) {
	c := Catalog{Systems: map[string]System{}}
	for _, source := range [][]byte{systems, service} {
		var part Catalog
		if err := yaml.Unmarshal(source, &part); err != nil {
			return c, fmt.Errorf("the catalogue cannot be read: %w", err)
		}
		maps.Copy(c.Systems, part.Systems)
		c.Entries = append(c.Entries, part.Entries...)
	}
	return c, nil
}
