package emulator

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// Environment variables that change every exploration of a test run, whatever its options say. Empty is not set.
const (
	// ExploreForVariable has the time of each exploration, such as 2m, and removes the bound of its runs.
	ExploreForVariable = "TABLETOP_EXPLORE_FOR"
	// ExploreSeedVariable has the seed.
	ExploreSeedVariable = "TABLETOP_EXPLORE_SEED"
	// ExploreFindingsVariable has the number of findings after which an exploration ends; without it 20.
	ExploreFindingsVariable = "TABLETOP_EXPLORE_FINDINGS"
)

// readEnvironment changes the settings that the environment names. Errors name the variable and what it may be.
func (s *exploration) readEnvironment(variable func(string) string) error {
	if text := variable(ExploreForVariable); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return fmt.Errorf("%s=%q is no time: write for example 2m", ExploreForVariable, text)
		}
		s.For, s.Runs = d, 0
	}
	seed, err := strconv.ParseUint(cmp.Or(variable(ExploreSeedVariable), fmt.Sprint(s.Seed)), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no number from 0: %w", ExploreSeedVariable, err)
	}
	s.Seed = seed
	findings, err := strconv.Atoi(cmp.Or(variable(ExploreFindingsVariable), fmt.Sprint(s.Findings)))
	if err != nil || findings < 0 {
		return fmt.Errorf("%s is no number from 0", ExploreFindingsVariable)
	}
	s.Findings = findings
	return nil
}
