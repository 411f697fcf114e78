package extensions

import (
	"cmp"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

const (
	// loadFolder is the folder of the reports of tabletop loadtest run, and consoleFolder that of the runs that the
	// console has started, each in a folder of its own; both are in the folder of all reports.
	loadFolder    = "loadtest"
	consoleFolder = "console"
	// maxRuns is how many folders of the console's runs are read, the newest first.
	maxRuns = 200
)

// runSummary is a run in the list.
type runSummary struct {
	ID          string    `json:"id"`
	Profile     string    `json:"profile"`
	Title       string    `json:"title"`
	Target      string    `json:"target"`
	Version     string    `json:"version"`
	Started     time.Time `json:"started"`
	Seconds     float64   `json:"seconds"`
	Shortened   string    `json:"shortened,omitempty"`
	Throughput  float64   `json:"throughput"`
	P50         float64   `json:"p50"`
	P99         float64   `json:"p99"`
	Errors      int64     `json:"errors"`
	Passed      int       `json:"passed"` // limits
	Failed      int       `json:"failed"`
	NotMeasured int       `json:"notMeasured"`
}

// runID returns the id of a run: the time of its start and its profile.
func runID(r *result.Report) string {
	return r.Started.UTC().Format("20060102T150405.000Z-") + r.Profile.ID
}

// savedReport is a report and the folder that it was read from.
type savedReport struct {
	*result.Report
	folder string
}

// results returns the reports of all runs, newest first.
func (x *Extensions) results() ([]savedReport, error) {
	all, err := savedReports(filepath.Join(x.cfg.Reports, loadFolder))
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(filepath.Join(x.cfg.Reports, consoleFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.Reverse(folders) // their names begin with the time
	for _, f := range folders[:min(len(folders), maxRuns)] {
		some, err := savedReports(filepath.Join(x.cfg.Reports, consoleFolder, f.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b savedReport) int { return cmp.Compare(runID(b.Report), runID(a.Report)) })
	return all, nil
}

// savedReports returns the reports in a folder, or none if there is no file.
func savedReports(folder string) (all []savedReport, err error) {
	reports, err := readReports(folder)
	for _, r := range reports {
		all = append(all, savedReport{r, folder})
	}
	return all, err
}

// readReports returns the reports in a folder, or none if there is no file.
func readReports(folder string) ([]*result.Report, error) {
	name := filepath.Join(folder, report.JSONName)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	reports, err := result.ReadJSON(f)
	if err != nil {
		return nil, errors.New(name + " was not written by this version of tabletop loadtest run: remove it")
	}
	return reports, nil
}

// reportIn returns the id of the run in a folder of its own, or "" if it has no report.
func reportIn(folder string) string {
	reports, err := readReports(folder)
	if err != nil || len(reports) == 0 {
		return ""
	}
	return runID(reports[0])
}

// loadRuns lists the runs of which there are reports.
func (x *Extensions) loadRuns(*http.Request) (any, error) {
	reports, err := x.results()
	if err != nil {
		return nil, err
	}
	list := []runSummary{}
	for _, r := range reports {
		list = append(list, summaryOf(r.Report))
	}
	return list, nil
}

func summaryOf(r *result.Report) runSummary {
	s := runSummary{ID: runID(r), Profile: r.Profile.ID, Title: r.Profile.Title, Target: r.Target, Version: r.Version,
		Started: r.Started, Seconds: r.Seconds, Shortened: r.Shortened, Throughput: r.Throughput, P50: r.Latency.P50,
		P99: r.Latency.P99, Errors: r.Errors}
	for _, v := range r.Verdicts {
		switch {
		case v.State == result.Pass:
			s.Passed++
		case v.State == result.Fail && v.Undecided == "":
			s.Failed++
		default:
			s.NotMeasured++
		}
	}
	return s
}

// reportView is the report of a run.
type reportView struct {
	*result.Report
	Request *loadRequest `json:"request,omitempty"` // that starts it again; absent if the console did not start it
}

// loadReport returns the report of a run.
func (x *Extensions) loadReport(r *http.Request) (any, error) {
	found, err := x.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	request, err := readRequest(found.folder)
	return reportView{found.Report, request}, err
}

// find returns the report of a run.
func (x *Extensions) find(id string) (savedReport, error) {
	reports, err := x.results()
	if err != nil {
		return savedReport{}, err
	}
	for _, r := range reports {
		if runID(r.Report) == id {
			return r, nil
		}
	}
	return savedReport{}, missing("there is no run %q: its report may have been replaced", id)
}

// comparedRun is a run of a comparison.
type comparedRun struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// comparison is what tabletop loadtest compare shows of two runs.
type comparison struct {
	Runs     []comparedRun     `json:"runs"`
	Profiles []report.Compared `json:"profiles"`
}

// loadComparison compares runs, whose ids are the parameters run, the earlier one first.
func (x *Extensions) loadComparison(r *http.Request) (any, error) {
	ids := r.URL.Query()["run"]
	if len(ids) != 2 || ids[0] == ids[1] {
		return nil, invalid("choose two different runs")
	}
	slices.Sort(ids) // they begin with the time
	var c comparison
	var reports []*result.Report
	for _, id := range ids {
		found, err := x.find(id)
		if err != nil {
			return nil, err
		}
		run := *found.Report
		label := run.Target + ", " + run.Started.UTC().Format("2006-01-02 15:04:05")
		run.Target = id // the columns of a comparison are targets
		c.Runs, reports = append(c.Runs, comparedRun{id, label}), append(reports, &run)
	}
	c.Profiles = report.Compare(reports, ids).Profiles
	return c, nil
}
