package exploration

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore"
)

// Report is an exploration of a command and its result.
type Report struct {
	Command []string        `json:"command"`
	Flags   []string        `json:"flags,omitempty"` // that a run of one plan needs too, such as --tables FILE
	Version string          `json:"version"`         // of Tabletop
	Started time.Time       `json:"started"`
	Elapsed time.Duration   `json:"elapsed"` // nanoseconds
	Result  *explore.Result `json:"result"`
	Matrix  []explore.Row   `json:"matrix"`
	Known   []string        `json:"known,omitempty"`   // texts of the plans of findings that the baseline lists
	Remarks []string        `json:"remarks,omitempty"` // a line each

	// Files are saved beside each scenario, which names them: TablesFile and InvariantsFile, if the command needs them.
	Files map[string][]byte `json:"-"`
}

// Names of the files of a report.
const (
	TablesFile     = "tables.yaml"
	InvariantsFile = "invariants.yaml"
)

// New returns the findings that the baseline does not list.
func (r *Report) New() []*explore.Finding {
	return slices.DeleteFunc(slices.Clone(r.Result.Findings), r.IsKnown)
}

// IsKnown reports whether the baseline lists a finding.
func (r *Report) IsKnown(f *explore.Finding) bool { return slices.Contains(r.Known, f.Plan.Text()) }

// Kinds returns the kinds of mishaps that were tried, in their order.
func (r *Report) Kinds() []explore.Kind {
	return slices.DeleteFunc(explore.Kinds(), func(k explore.Kind) bool {
		return !slices.ContainsFunc(r.Matrix, func(row explore.Row) bool { return row.Verdicts[k] != "" })
	})
}

// JSON returns the report as JSON.
func (r *Report) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}
