package emulator

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore"
)

func TestTheEnvironmentChangesExplorations(t *testing.T) {
	t.Parallel()
	read := func(variables map[string]string) (explore.Settings, error) {
		s := exploration{Settings: explore.Settings{Runs: 100, Seed: 1}}
		err := s.readEnvironment(func(name string) string { return variables[name] })
		return s.Settings, err
	}
	if s, err := read(nil); err != nil || s.Runs != 100 || s.For != 0 || s.Seed != 1 || s.Findings != 0 {
		t.Errorf("without variables: %+v, %v", s, err)
	}
	s, err := read(map[string]string{"TABLETOP_EXPLORE_FOR": "2m", "TABLETOP_EXPLORE_SEED": "7",
		"TABLETOP_EXPLORE_FINDINGS": "3"})
	if err != nil || s.Runs != 0 || s.For != 2*time.Minute || s.Seed != 7 || s.Findings != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	for name, text := range map[string]string{"TABLETOP_EXPLORE_FOR": "2", "TABLETOP_EXPLORE_SEED": "-1",
		"TABLETOP_EXPLORE_FINDINGS": "all"} {
		if _, err := read(map[string]string{name: text}); err == nil {
			t.Errorf("%s=%s is accepted", name, text)
		}
	}
}
