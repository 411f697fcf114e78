package advice

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/yamlfile"
)

// Suppressions are findings that a project has decided to live with.
type Suppressions struct {
	Suppress []Suppression `yaml:"suppress"`
}

// Suppression leaves out the findings of a rule on tables.
type Suppression struct {
	Rule   string `yaml:"rule" json:"rule"`
	Table  string `yaml:"table" json:"table,omitempty"` // pattern such as orders-*; empty: all
	Index  string `yaml:"index" json:"index,omitempty"` // pattern; empty: the table and all of its indexes
	Reason string `yaml:"reason" json:"reason"`         // required
}

// Suppressed is a finding that was left out.
type Suppressed struct {
	Finding
	Reason string `json:"reason"`
}

// ReadSuppressions reads a file of suppressions. Errors are one line, with the line of the file and the remedy.
func ReadSuppressions(file string) (*Suppressions, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var s Suppressions
	f, err := yamlfile.Read(file, text, &s)
	if err != nil {
		return nil, err
	}
	for i, each := range s.Suppress {
		if err := each.check(); err != nil {
			return nil, f.Errorf([]any{"suppress", i}, "%v", err)
		}
	}
	return &s, nil
}

func (s *Suppression) check() error {
	known := make([]string, len(Rules()))
	for i, r := range Rules() {
		known[i] = r.ID
	}
	if !slices.Contains(known, s.Rule) {
		return fmt.Errorf("unknown rule %q: use one of %s", s.Rule, strings.Join(known, ", "))
	}
	if strings.TrimSpace(s.Reason) == "" {
		return fmt.Errorf("the suppression of %s has no reason: write why this is right here, as in reason: …", s.Rule)
	}
	for _, pattern := range []string{s.Table, s.Index} {
		if _, err := matches(pattern, ""); err != nil {
			return fmt.Errorf("%q is not a pattern: use a name, with * for any characters", pattern)
		}
	}
	return nil
}

// covers reports whether a suppression is about a finding.
func (s *Suppression) covers(f *Finding) bool {
	covers := func(pattern, name string) bool {
		ok, _ := matches(pattern, name)
		return ok || pattern == ""
	}
	return s.Rule == f.Rule && covers(s.Table, f.Table) && covers(s.Index, f.Index)
}

// matches is path.Match with a * that also stands for a slash: containers are DATABASE/CONTAINER. Names of tables,
// databases and containers have no NUL.
func matches(pattern, name string) (bool, error) {
	return path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
}

// Apply moves the findings that are suppressed out of a report. It returns the suppressions that suppress nothing.
func (s *Suppressions) Apply(p *Report) (unused []Suppression) {
	used := make([]bool, len(s.Suppress))
	p.Findings = slices.DeleteFunc(p.Findings, func(f Finding) bool {
		for i := range s.Suppress {
			if s.Suppress[i].covers(&f) {
				used[i] = true
				p.Suppressed = append(p.Suppressed, Suppressed{Finding: f, Reason: s.Suppress[i].Reason})
				return true
			}
		}
		return false
	})
	for i, u := range used {
		if !u {
			unused = append(unused, s.Suppress[i])
		}
	}
	return unused
}
