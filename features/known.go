package features

import (
	_ "embed"
	"fmt"

	"gopkg.in/yaml.v3"
)

// difference is a scenario that a target fails where the real service does not.
type difference struct {
	Target    string `yaml:"target"`
	Scenario  string `yaml:"scenario"`
	Reason    string `yaml:"reason"`
	Sometimes bool   `yaml:"sometimes"` // it fails by timing: a pass is no news
}

//go:embed known.yaml
var knownSource []byte

func allKnown() ([]difference, error) {
	var all []difference
	if err := yaml.Unmarshal(knownSource, &all); err != nil {
		return nil, fmt.Errorf("known.yaml: %w", err)
	}
	return all, nil
}

// loadKnown returns the target's known differences, by scenario.
func loadKnown(target string) (map[string]difference, error) {
	all, err := allKnown()
	if err != nil {
		return nil, err
	}
	known := map[string]difference{}
	for _, d := range all {
		if d.Target == target {
			known[d.Scenario] = d
		}
	}
	return known, nil
}
