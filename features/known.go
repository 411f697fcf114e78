package features

import (
	_ "embed"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/features/runner"
)

//go:embed known.yaml
var knownSource []byte

// Known returns the scenarios that a target is known to fail although the real service passes them.
func Known() ([]runner.Difference, error) {
	var all []runner.Difference
	if err := yaml.Unmarshal(knownSource, &all); err != nil {
		return nil, fmt.Errorf("known.yaml: %w", err)
	}
	return all, nil
}
