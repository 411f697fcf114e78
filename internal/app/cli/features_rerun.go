package cli

import (
	"strings"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/targets"
)

// featuresFolder is the default folder of the reports of tabletop features.
const featuresFolder = "reports/features"

// rerun writes commands that run scenarios again, on the same target and with reports in the same folder.
type rerun struct {
	words      []string // the command, without a selection of scenarios
	hasReports bool     // which --failed reads
}

func rerunOf(o features.Options) rerun {
	words := []string{"tabletop", "features"}
	if o.Target != "" && o.Target != string(targets.Embedded) {
		words = append(words, "--target", report.Quoted(o.Target))
	}
	if o.Open.Image != "" {
		words = append(words, "--image", report.Quoted(o.Open.Image))
	}
	if o.Open.SpendAllowed {
		words = append(words, "--yes-spend")
	}
	if o.OutDir != featuresFolder {
		words = append(words, "--report", report.Quoted(o.OutDir))
	}
	return rerun{words, o.OutDir != ""}
}

// scenarios returns the command that runs these scenarios again.
func (r rerun) scenarios(all ...report.Scenario) string {
	command := strings.Join(r.words, " ")
	for _, s := range all {
		command += " " + sourceOf(s, s.Line)
	}
	return command
}

// failed returns the command that runs the failed scenarios of the last run again.
func (r rerun) failed(all []report.Scenario) string {
	if !r.hasReports {
		return r.scenarios(all...)
	}
	return strings.Join(r.words, " ") + " --failed"
}
