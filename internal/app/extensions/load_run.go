package extensions

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// loadRun is a load test that the console has started. It is safe for concurrent use.
type loadRun struct {
	request loadRequest
	profile profile.Profile
	target  string
	folder  string        // of its report
	report  func() string // the report's id, or "" if there is none; call it when the job has ended
	job     *job

	mu       sync.Mutex
	progress loadtest.Progress // the last one, without its series
	series   []pointAt         // in the order of time
	changes  int64             // number of changes to the series
}

// pointAt is a point of the series, with the number of its last change.
type pointAt struct {
	result.Slot
	change int64
}

// newLoadRun returns a run, whose child has not started, with its report in a folder. The report is read once: the page
// asks for a run again and again.
func newLoadRun(p profile.Profile, r loadRequest, target, folder string) *loadRun {
	return &loadRun{request: r, profile: p.Shorten(time.Duration(r.Seconds)*time.Second, r.RateScale), target: target,
		folder: folder, report: sync.OnceValue(func() string { return reportIn(folder) })}
}

// add records a line of progress. It ignores other lines, such as those of a log.
func (l *loadRun) add(line []byte) {
	var p loadtest.Progress
	if json.Unmarshal(line, &p) != nil || p.Profile == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range p.Series {
		l.changes++
		l.set(pointAt{s, l.changes})
	}
	p.Series = nil
	l.progress = p
}

// maxPoints is the most points of a series. A run whose pace is slowed down has more than planned.
const maxPoints = 1000

// set adds a point, or replaces the one of the same time. Points change near the end of the series.
func (l *loadRun) set(p pointAt) {
	i := len(l.series)
	for i > 0 && l.series[i-1].At >= p.At {
		i--
	}
	switch {
	case i < len(l.series) && l.series[i].At == p.At:
		l.series[i] = p
	case len(l.series) < maxPoints:
		l.series = append(l.series[:i], append([]pointAt{p}, l.series[i:]...)...)
	}
}

// loadView is a run as the page shows it.
type loadView struct {
	Profile   string             `json:"profile"`
	Title     string             `json:"title"`
	Target    string             `json:"target"`
	Request   loadRequest        `json:"request"`
	Seconds   float64            `json:"seconds"` // planned
	Requests  int                `json:"requests"`
	Started   time.Time          `json:"started"`
	State     jobState           `json:"state"`
	Message   string             `json:"message,omitempty"` // what the child has said last; empty: nothing
	Report    string             `json:"report,omitempty"`  // id of its report, if it has one
	Progress  *loadtest.Progress `json:"progress"`          // null: none yet
	Series    []result.Slot      `json:"series"`            // the points that have changed
	Change    int64              `json:"change"`            // number of the last change: pass it as after next time
	PeakRate  float64            `json:"peakRate"`
	ReportDir string             `json:"reportFolder,omitempty"`
}

// view returns the run with the points that have changed after a change.
func (l *loadRun) view(after int64) loadView {
	state, message := l.job.status()
	v := loadView{Profile: l.profile.ID, Title: l.profile.Title, Target: l.target, Request: l.request,
		Seconds: l.profile.Duration().Seconds(), Requests: l.profile.Requests(), Started: l.job.started, State: state,
		Message: message, Series: []result.Slot{}, PeakRate: l.profile.Stages[l.profile.Peak()].Mean()}
	if state == jobEnded {
		v.Report, v.ReportDir = l.report(), l.folder
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	v.Change = l.changes
	if l.progress.Profile != "" {
		v.Progress = new(l.progress)
	}
	for _, p := range l.series {
		if p.change > after {
			v.Series = append(v.Series, p.Slot)
		}
	}
	return v
}

// currentLoad returns the latest load test that the console has started, or null. after is the change up to which the
// page has the series.
func (x *Extensions) currentLoad(r *http.Request) (any, error) {
	run := x.load.Load()
	if run == nil {
		return nil, nil
	}
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // 0: the whole series
	return run.view(after), nil
}
