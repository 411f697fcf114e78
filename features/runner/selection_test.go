package runner_test

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/steps"
)

const seatsFile = `Feature: Seats
  Background:
    Given a step

  # Line 5
  @S-1
  Scenario: plain
    Given a text
      """
      one
      two
      """

  @S-2
  Scenario Outline: row <n>
    Given a step

    @S-3
    Examples: small
      | n |
      | 1 |
      | 2 |

    Examples: large
      | n |
      | 9 |

  Rule: strict
    Scenario: ruled
      Given a table
        | a |
        | b |
`

const playsFile = `Feature: Plays
  @S-1
  Scenario: played
    Given a step
`

// selectScenarios runs what is selected of two suites, which both have a file plays.feature, and returns the names of
// what ran.
func selectScenarios(t *testing.T, wanted report.Selection) ([]string, error) {
	t.Helper()
	pass := func(sc *godog.ScenarioContext, _ *steps.World) {
		sc.Step(`^a step$`, func() {})
		sc.Step(`^a text$`, func(*godog.DocString) {})
		sc.Step(`^a table$`, func(*godog.Table) {})
	}
	run, err := runner.Run(t.Context(), runner.Options{Selection: wanted},
		runner.Suite{Name: "hall", Steps: pass, Files: fstest.MapFS{
			"seats.feature": {Data: []byte(seatsFile)}, "plays.feature": {Data: []byte("Feature: none yet\n")}}},
		runner.Suite{Name: "stage", Steps: pass, Files: fstest.MapFS{"plays.feature": {Data: []byte(playsFile)}}})
	var names []string
	for _, s := range run.Scenarios {
		if s.Outcome != report.Passed || s.Line == 0 {
			t.Errorf("%+v", s)
		}
		names = append(names, s.Name)
	}
	return names, err
}

// TestFilesAndNamesSelectScenarios selects by each kind of line, by file, folder and name, and by several conditions.
func TestFilesAndNamesSelectScenarios(t *testing.T) {
	t.Parallel()
	rows := []string{"row 1", "row 2", "row 9"}
	seats := append(append([]string{"plain"}, rows...), "ruled")
	in := func(files ...string) report.Selection { return report.Selection{Files: files} }
	for _, c := range []struct {
		wanted report.Selection
		want   []string
	}{
		{in("features/hall/seats.feature"), seats},
		{in("features/hall/seats.feature:1"), seats},
		{in("features/hall/seats.feature:3"), seats},
		{in("features/hall/seats.feature:6"), []string{"plain"}},
		{in("features/hall/seats.feature:7"), []string{"plain"}},
		{in("features/hall/seats.feature:12"), []string{"plain"}},
		{in("features/hall/seats.feature:14"), rows},
		{in("features/hall/seats.feature:16"), rows},
		{in("features/hall/seats.feature:18"), rows[:2]},
		{in("features/hall/seats.feature:20"), rows[:2]},
		{in("features/hall/seats.feature:21"), rows[:1]},
		{in("features/hall/seats.feature:25"), rows[2:]},
		{in("features/hall/seats.feature:26"), rows[2:]},
		{in("features/hall/seats.feature:29"), []string{"ruled"}},
		{in("features/hall/seats.feature:32:21"), []string{"row 1", "ruled"}},
		{in("hall/seats.feature:7", "features/stage/plays.feature:3"), []string{"plain", "played"}},
		{in("./seats.feature:7"), []string{"plain"}},
		{in("/src/features/hall/seats.feature:7"), []string{"plain"}},
		{in("features/stage/"), []string{"played"}},
		{in("features"), append(slices.Clone(seats), "played")},
		{report.Selection{Name: "^row [12]$"}, rows[:2]},
		{report.Selection{Name: "P?LAI"}, nil},
		{report.Selection{Name: "(?i)P?LAI"}, []string{"plain"}},
		{report.Selection{Tags: "@S-1", Files: []string{"seats.feature"}}, []string{"plain"}},
		{report.Selection{Tags: "@S-3", Name: "2"}, rows[1:2]},
	} {
		got, err := selectScenarios(t, c.wanted)
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%s: %q, %v, want %q", c.wanted, got, err, c.want)
		}
	}
}

// TestInvalidSelectionsAreRefused checks each error, which names what is wrong and what to write instead.
func TestInvalidSelectionsAreRefused(t *testing.T) {
	t.Parallel()
	const form = ": use FILE or FILE:LINE, such as features/kefir/batches.feature:12"
	for _, c := range []struct {
		wanted   report.Selection
		by, want string
	}{
		{report.Selection{Files: []string{"features/hall/seat.feature"}}, "files",
			`there is no feature file "features/hall/seat.feature": the files in hall are plays.feature, seats.feature`},
		{report.Selection{Files: []string{"seats.feature", "x.feature:3"}}, "files",
			`there is no feature file "x.feature": the folders in features are hall, stage`},
		{report.Selection{Files: []string{"plays.feature:3"}}, "files",
			`"plays.feature" is in several folders: use features/hall/plays.feature or features/stage/plays.feature`},
		{report.Selection{Files: []string{"hall:3"}}, "files", `"hall" is a folder, which has no lines` + form},
		{report.Selection{Files: []string{"seats.feature:x"}}, "files", `"seats.feature:x": "x" is not a line number` + form},
		{report.Selection{Files: []string{""}}, "files", "the name of a feature file is empty" + form},
		{report.Selection{Files: []string{"@S-1"}}, "files", `"@S-1" is a tag, not a file: use --tags @S-1`},
		{report.Selection{Files: []string{"seats.feature:7:13"}}, "files",
			`features/hall/seats.feature has no scenario at line 13: the nearest is at line 7, "plain"`},
		{report.Selection{Files: []string{"seats.feature:0"}}, "files",
			`features/hall/seats.feature has no scenario at line 0: the nearest is at line 7, "plain"`},
		{report.Selection{Files: []string{"seats.feature:99999999999999999999"}}, "files",
			`features/hall/seats.feature has no scenario at line 99999999999999999999: the nearest is at line 29, "ruled"`},
		{report.Selection{Files: []string{"hall/plays.feature:1"}}, "files",
			"features/hall/plays.feature has no scenarios: use another file"},
		{report.Selection{Name: "row ("}, "name",
			`"row (" is not a regular expression: missing closing ): put \ before a character that stands for itself`},
		{report.Selection{Name: "column"}, "name",
			`no scenario has a name that matches "column": use a part of one, and (?i) at the beginning to ignore case`},
		{report.Selection{Tags: "@S-2", Name: "plain"}, "",
			`no scenario meets all of --tags @S-2 --name plain: omit one of them`},
		{report.Selection{Name: "row 1", Files: []string{"stage"}}, "",
			`no scenario meets all of --name 'row 1' stage: omit one of them`},
	} {
		_, err := selectScenarios(t, c.wanted)
		var wrong *runner.SelectionError
		if !errors.As(err, &wrong) || wrong.By != c.by || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.wanted, err, c.want)
		}
	}
}
