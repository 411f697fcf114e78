package history

import (
	"cmp"
	"fmt"
	"runtime"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/tabletop-db/tabletop/internal/util/processors"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Entry is the summary of one run of a profile.
type Entry struct {
	At      time.Time `json:"at"`     // when it began
	Commit  string    `json:"commit"` // commit of the code that ran
	Profile string    `json:"profile"`
	Seed    uint64    `json:"seed"`
	Setting

	Rate float64 `json:"rate"` // successful responses per second
	P50  float64 `json:"p50_ms"`
	P95  float64 `json:"p95_ms"`
	P99  float64 `json:"p99_ms"`
	// Mean units per request of the profile's database; nil without a meter.
	ReadUnits    *float64 `json:"read_units,omitempty"`
	WriteUnits   *float64 `json:"write_units,omitempty"`
	RequestUnits *float64 `json:"request_units,omitempty"` // Cosmos DB
	MonthDollars *float64 `json:"month_dollars,omitempty"` // at the run's rate, around the clock

	Verdict result.State `json:"verdict"`          // fail if any limit failed, otherwise pass
	Failed  []string     `json:"missed,omitempty"` // the metrics of the failed limits
}

// Setting has the values that must be equal in two comparable runs.
type Setting struct {
	Target   string           `json:"target"`
	Duration profile.Duration `json:"duration"`
	Scale    float64          `json:"rate_scale"` // times the documented rate
	Machine  Machine          `json:"machine"`
}

// Machine is the machine on which a run took place.
type Machine struct {
	CPUs  int    `json:"cpus"`
	Model string `json:"model"`
	OS    string `json:"os"` // with the architecture, such as linux/amd64
	Go    string `json:"go"` // version
}

// ThisMachine returns the machine that runs this program.
func ThisMachine() Machine {
	return Machine{
		CPUs: processors.Count(), Model: cmp.Or(cpuid.CPU.BrandName, "unknown processor"),
		OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
	}
}

func (m Machine) String() string { return fmt.Sprintf("%d × %s, %s, %s", m.CPUs, m.Model, m.OS, m.Go) }

// NewEntry returns the summary of a report, for a run of a commit at this multiple of the documented rate, on this
// machine.
func NewEntry(r *result.Report, commit string, scale float64) Entry {
	if r.Profile.Unscaled != "" {
		scale = 1
	}
	e := Entry{
		At: r.Started, Commit: commit, Profile: r.Profile.ID, Seed: r.Seed,
		Setting: Setting{Target: r.Target, Duration: profile.Duration(r.Profile.Duration()), Scale: scale,
			Machine: ThisMachine()},
		Rate: r.Throughput, P50: r.Latency.P50, P95: r.Latency.P95, P99: r.Latency.P99, Verdict: result.Pass,
	}
	if r.Profile.OnCosmos() {
		e.RequestUnits = perRequest(r, func(k result.KindStats) float64 { return k.RequestUnits })
	} else {
		e.ReadUnits = perRequest(r, func(k result.KindStats) float64 { return k.ReadUnits })
		e.WriteUnits = perRequest(r, func(k result.KindStats) float64 { return k.WriteUnits })
	}
	if r.Cost != nil {
		dollars := r.Cost.Month.Float()
		e.MonthDollars = &dollars
	}
	for _, v := range r.Failed() {
		e.Verdict, e.Failed = result.Fail, append(e.Failed, v.Metric)
	}
	return e
}

// perRequest returns the mean units per metered request, or nil without a meter.
func perRequest(r *result.Report, units func(result.KindStats) float64) *float64 {
	var sum float64
	var metered int64
	for _, k := range r.Kinds {
		sum, metered = sum+units(k), metered+k.Metered
	}
	if metered == 0 {
		return nil
	}
	mean := sum / float64(metered)
	return &mean
}
