package result

import (
	"cmp"
	"encoding/json"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// Report is the result of one profile on one target. Latencies are in milliseconds, from when a request was due to the
// end of its response.
type Report struct {
	Profile   profile.Profile `json:"profile"` // as run
	Target    string          `json:"target"`
	Version   string          `json:"version,omitempty"` // of Tabletop
	Started   time.Time       `json:"started"`
	Seconds   float64         `json:"seconds"` // from the start to the last response, at least the planned duration
	Seed      uint64          `json:"seed"`
	Shortened string          `json:"quick,omitempty"` // how the run was shortened, if it was
	Verdicts  []Verdict       `json:"verdicts"`

	Broken []invariants.Break `json:"broken_invariants,omitempty"` // after the attack, when nothing wrote any more

	Earlier [][]Verdict `json:"earlier,omitempty"` // the failed limits of each earlier attempt, oldest first

	NotApplied string `json:"not_applied,omitempty"` // cloud behaviours that the profile requires and the target lacks

	Requests    int64            `json:"requests"`
	Errors      int64            `json:"errors"`
	ErrorTexts  map[string]int64 `json:"error_texts,omitempty"`
	Rate        float64          `json:"rate"`       // requests sent per second
	Throughput  float64          `json:"throughput"` // successful responses per second; up to a second late is in time
	Latency     Latency          `json:"latency"`
	ServiceTime Latency          `json:"service"`         // latency from when a request was sent
	Overhead    *Latency         `json:"added,omitempty"` // time of a request in the backend minus its database calls
	Kinds       []KindStats      `json:"kinds"`
	Stages      []StageStats     `json:"stages"`
	Series      []Slot           `json:"series"`
	Spectrum    []Quantile       `json:"spectrum"`

	Consumed []Consumed `json:"consumed,omitempty"` // absent without a meter
	Cost     *Cost      `json:"cost,omitempty"`     // absent without a meter

	Documents []DocumentCost `json:"documents,omitempty"` // the monthly costs that documents state, and the measured ones
	Stored    []Stored       `json:"stored,omitempty"`    // before the attack
	Sizes     []Size         `json:"sizes,omitempty"`     // before the attack, by type of item
	Heat      []Heat         `json:"heat,omitempty"`      // absent if no emulator, or a run of over 3 hours

	// Telemetry only.
	Readings  *Outcomes      `json:"readings,omitempty"`
	Keys      *KeyShares     `json:"keys,omitempty"`
	HotDevice *HotDeviceRule `json:"hot_device_rule,omitempty"`
	Hot       []HotDevice    `json:"hot_devices,omitempty"`
	// as reported by the service; null if the attack was shorter than a minute
	ReportedHot []string `json:"hot_devices_named"`

	// Backends on Cosmos DB only.
	RequestUnits []UnitCost `json:"request_units,omitempty"`
	Throttled    *int64     `json:"throttled,omitempty"` // attempts of the backend's client that got status 429

	Durability *Durability `json:"kept,omitempty"` // absent unless a limit needs it
	// device tokens: devices whose token is older than a later acknowledged one
	Stale       *int64 `json:"stale_registrations,omitempty"`
	Unprocessed int64  `json:"unprocessed,omitempty"` // tables: unprocessed items of batches
}

// Latency is a distribution in milliseconds.
type Latency struct {
	Count int64   `json:"count,omitempty"` // of requests; absent in reports of earlier versions
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p99_9"`
	Max   float64 `json:"max"`
}

// KindStats is the statistics of one kind of request.
type KindStats struct {
	Request  string  `json:"request"`
	Requests int64   `json:"requests"`
	Errors   int64   `json:"errors"`
	Latency  Latency `json:"latency"`

	Metered      int64    `json:"metered,omitempty"` // requests whose database calls a meter saw
	ReadUnits    float64  `json:"read_units,omitempty"`
	WriteUnits   float64  `json:"write_units,omitempty"`
	RequestUnits float64  `json:"request_units,omitempty"` // Cosmos DB
	Calls        []Call   `json:"calls,omitempty"`         // database calls
	Overhead     *Latency `json:"added,omitempty"`         // like Report.Overhead
}

// Call is a database call that a kind of request makes.
type Call struct {
	Path  string  `json:"path"`  // operation, table and index, and the key condition
	Times float64 `json:"times"` // mean per request
}

// StageStats is the statistics of the requests that were due in one stage.
type StageStats struct {
	Planned           float64 `json:"planned"`             // requests per second
	Sent              float64 `json:"sent"`                // requests per second
	ReadingsPerSecond float64 `json:"readings_per_second"` // stored; up to a second late is in time
	Latency           Latency `json:"latency"`
	// RequestUnitsPerSecond is the rate of the busiest Cosmos DB container; nil for other databases.
	RequestUnitsPerSecond *float64 `json:"request_units_per_second,omitempty"`
}

// Slot is one point of the series over time. Requests count in the slot in which they were sent.
type Slot struct {
	At       float64 `json:"at"`   // start of the slot, in seconds since the start of the run
	Sent     float64 `json:"sent"` // requests per second
	Errors   float64 `json:"errors"`
	Readings float64 `json:"readings"` // stored per second
	P50      float64 `json:"p50"`
	P90      float64 `json:"p90,omitempty"` // absent in reports of earlier versions
	P99      float64 `json:"p99"`
	Max      float64 `json:"max"`
}

// Quantile is one point of the latency distribution.
type Quantile struct {
	Percent float64 `json:"percent"`
	Millis  float64 `json:"ms"`
}

// Outcomes counts the responses to readings.
type Outcomes struct {
	Stored    int64 `json:"stored"`
	Duplicate int64 `json:"duplicate"`
	Rejected  int64 `json:"rejected"`
}

// Consumed is the capacity units that one table or index was charged. Peaks are per second.
type Consumed struct {
	Table           string  `json:"table"`
	Index           string  `json:"index,omitempty"`
	Calls           int64   `json:"calls"`
	ReadUnits       float64 `json:"read_units"`
	WriteUnits      float64 `json:"write_units"`
	ReadsPerSecond  float64 `json:"read_units_per_second"`
	WritesPerSecond float64 `json:"write_units_per_second"`
	ReadPeak        float64 `json:"read_peak"`
	WritePeak       float64 `json:"write_peak"`
}

// KeyShares is how the requests were distributed over the API keys. Each key is one partition of the hash index.
type KeyShares struct {
	Keys          int     `json:"keys"`
	LookupsPerSec float64 `json:"lookups_per_second"` // requests that present a key
	HottestShare  float64 `json:"hottest_share"`      // share of all requests
	FairShare     float64 `json:"fair_share"`         // share of each key if evenly distributed
}

// Verdict is the decision on one limit.
type Verdict struct {
	ID       string `json:"id"` // catalogue entry
	Metric   string `json:"metric"`
	Label    string `json:"label,omitempty"` // the metric's name in reports; empty in reports of earlier versions
	Limit    string `json:"limit"`
	Measured string `json:"measured"`
	State    State  `json:"state"`
	Remark   string `json:"remark,omitempty"`
	// Undecided tells why a value outside the limit does not show that the requirement is violated: the run could not
	// measure it. The state is then NotMeasured, in reports of earlier versions Fail.
	Undecided string `json:"undecided,omitempty"`
}

// Name returns the name of the metric in reports.
func (v Verdict) Name() string { return cmp.Or(v.Label, v.Metric) }

// Explained returns the measured value, with the reason if it decides nothing.
func (v Verdict) Explained() string {
	if v.Undecided == "" {
		return v.Measured
	}
	return v.Measured + ", outside the limit, but " + v.Undecided
}

// Failed returns the verdicts on the limits that failed, without undecided ones.
func (r *Report) Failed() (failed []Verdict) {
	for _, v := range r.Verdicts {
		if v.State == Fail && v.Undecided == "" {
			failed = append(failed, v)
		}
	}
	return failed
}

// WriteJSON writes reports as a JSON list, one entry per profile and target.
func WriteJSON(w io.Writer, reports []*Report) error {
	return indented.WriteJSON(w, reports)
}

// ReadJSON reads what WriteJSON wrote, to compare the reports of several targets.
func ReadJSON(r io.Reader) ([]*Report, error) {
	var reports []*Report
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	err := d.Decode(&reports)
	return reports, err
}

// WarmUp is the number of requests of each kind that open connections and fill caches. They do not count for what the
// backend adds.
const WarmUp = 10
