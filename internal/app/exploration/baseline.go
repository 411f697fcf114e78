package exploration

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/tabletop-db/tabletop/internal/explore"
)

// ReadBaseline reads the plans of known findings from a file: a plan a line, as explore.Plan.Text writes it. Empty
// lines and lines that begin with # are skipped. It returns the texts of the plans. Errors name the file, the line and
// the remedy.
func ReadBaseline(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("baseline %s does not exist: write it with --write-baseline", file)
	}
	if err != nil {
		return nil, err
	}
	var known []string
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p, err := explore.ParsePlan(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		known = append(known, p.Text())
	}
	return known, nil
}

// Baseline returns a file for ReadBaseline with all findings, each with its story's first line as a comment.
func (r *Report) Baseline() []byte {
	var b strings.Builder
	b.WriteString("# Findings of tabletop explore that are known: --baseline does not fail because of them.\n")
	for _, f := range r.Result.Findings {
		fmt.Fprintf(&b, "\n# %s\n%s\n", f.Plan, f.Plan.Text())
	}
	return []byte(b.String())
}
