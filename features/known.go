package features

import (
	_ "embed"
	"fmt"

	"gopkg.in/yaml.v3"
)

// difference is a scenario that a target fails where the real service does not.
type difference struct {
	Target   string `yaml:"target"`
	Scenario string `yaml:"scenario"`
	Reason   string `yaml:"reason"`
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

// loadKnown returns the target's known differences: reasons by scenario.
func loadKnown(target string) (map[string]string, error) {
	all, err := allKnown()
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	for _, d := range all {
		if d.Target == target {
			reasons[d.Scenario] = d.Reason
		}
	}
	return reasons, nil
}
