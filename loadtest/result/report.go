package result

import (
	"encoding/json"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/internal/indented"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// Report is what one profile did to one target. Latencies are in milliseconds, from when a request was due to the end
// of its answer.
type Report struct {
	Profile  profile.Profile `json:"profile"` // as it was run
	Target   string          `json:"target"`
	Started  time.Time       `json:"started"`
	Seconds  float64         `json:"seconds"` // from the start to the last answer, at least the planned duration
	Seed     uint64          `json:"seed"`
	Quick    string          `json:"quick,omitempty"` // how the run was shortened, when it was
	Verdicts []Verdict       `json:"verdicts"`

	Earlier [][]Verdict `json:"earlier,omitempty"` // the limits that each earlier try of the profile missed, oldest first

	NotApplied string `json:"not_applied,omitempty"` // what the profile wants of its target that this one does not have

	Requests   int64            `json:"requests"`
	Errors     int64            `json:"errors"`
	ErrorTexts map[string]int64 `json:"error_texts,omitempty"`
	Rate       float64          `json:"rate"`       // requests sent a second
	Throughput float64          `json:"throughput"` // requests answered with success a second; up to a second late is in time
	Latency    Latency          `json:"latency"`
	Service    Latency          `json:"service"`         // from sending a request, however late that was
	Added      *Latency         `json:"added,omitempty"` // what the backend adds: a request's time in it without that of its calls of the database
	Kinds      []KindStats      `json:"kinds"`
	Stages     []StageStats     `json:"stages"`
	Series     []Slot           `json:"series"`
	Spectrum   []Quantile       `json:"spectrum"`

	Consumed []Consumed `json:"consumed,omitempty"` // absent when no meter watched
	Cost     *Cost      `json:"cost,omitempty"`     // absent when no meter watched

	Documents []DocumentCost `json:"documents,omitempty"` // what documents say that a month costs, and what was measured
	Stored    []Stored       `json:"stored,omitempty"`    // before the attack
	Sizes     []Size         `json:"sizes,omitempty"`     // before the attack, by sort of item
	Heat      []Heat         `json:"heat,omitempty"`      // absent where no emulator tells it

	// Of telemetry, absent elsewhere.
	Readings  *Outcomes      `json:"readings,omitempty"`
	Keys      *KeyShares     `json:"keys,omitempty"`
	HotDevice *HotDeviceRule `json:"hot_device_rule,omitempty"`
	Hot       []HotDevice    `json:"hot_devices,omitempty"`
	NamedHot  []string       `json:"hot_devices_named"` // of these devices, by the service after the attack; null where it was shorter than a minute

	// Of a backend on Cosmos DB, absent elsewhere.
	RequestUnits []UnitCost `json:"request_units,omitempty"`
	Throttled    *int64     `json:"throttled,omitempty"` // tries of the backend's client that were answered 429

	Kept        *Kept  `json:"kept,omitempty"`                // what became of what was acknowledged; absent where a profile does not ask
	Stale       *int64 `json:"stale_registrations,omitempty"` // of device tokens: devices whose token is older than one that was acknowledged later
	Unprocessed int64  `json:"unprocessed,omitempty"`         // of a table: items of batches that came back
}

// Latency is a distribution in milliseconds.
type Latency struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99_9"`
	Max  float64 `json:"max"`
}

// KindStats is what became of one kind of request.
type KindStats struct {
	Request  string  `json:"request"`
	Requests int64   `json:"requests"`
	Errors   int64   `json:"errors"`
	Latency  Latency `json:"latency"`

	Metered      int64    `json:"metered,omitempty"` // of the requests, those whose calls of the database a meter saw
	ReadUnits    float64  `json:"read_units,omitempty"`
	WriteUnits   float64  `json:"write_units,omitempty"`
	RequestUnits float64  `json:"request_units,omitempty"` // of Cosmos DB
	Calls        []Call   `json:"calls,omitempty"`         // of the database
	Added        *Latency `json:"added,omitempty"`         // as Report.Added
}

// Call is a call of the database that a kind of request makes.
type Call struct {
	Path  string  `json:"path"`  // operation, table and index, and the condition on the key
	Times float64 `json:"times"` // of one request, in the mean
}

// StageStats is what became of the requests that were due in one stage.
type StageStats struct {
	Planned           float64 `json:"planned"`             // requests a second
	Sent              float64 `json:"sent"`                // requests a second
	ReadingsPerSecond float64 `json:"readings_per_second"` // stored; up to a second late is in time
	Latency           Latency `json:"latency"`
	// RequestUnitsPerSecond is what the busiest container of Cosmos DB gave; nil elsewhere.
	RequestUnitsPerSecond *float64 `json:"request_units_per_second,omitempty"`
}

// Slot is one point of the series over time; it counts by the time of sending.
type Slot struct {
	At       float64 `json:"at"`   // seconds since the start, of the slot's begin
	Sent     float64 `json:"sent"` // requests a second
	Errors   float64 `json:"errors"`
	Readings float64 `json:"readings"` // stored a second
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
	Max      float64 `json:"max"`
}

// Quantile is one point of the latency distribution.
type Quantile struct {
	Percent float64 `json:"percent"`
	Millis  float64 `json:"ms"`
}

// Outcomes counts the answers to readings.
type Outcomes struct {
	Stored    int64 `json:"stored"`
	Duplicate int64 `json:"duplicate"`
	Rejected  int64 `json:"rejected"`
}

// Consumed is the capacity units that one table or index was charged. Peaks are of one second.
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

// KeyShares is how the requests spread over the API keys. Each key is one partition of the hash index.
type KeyShares struct {
	Keys          int     `json:"keys"`
	LookupsPerSec float64 `json:"lookups_per_second"` // requests that present a key
	HottestShare  float64 `json:"hottest_share"`      // of all requests
	FairShare     float64 `json:"fair_share"`         // the hottest key's, were they dealt out evenly
}

// Verdict is whether one limit held.
type Verdict struct {
	ID       string `json:"id"` // catalogue entry
	Metric   string `json:"metric"`
	Limit    string `json:"limit"`
	Measured string `json:"measured"`
	State    State  `json:"state"`
	Remark   string `json:"remark,omitempty"`
}

// State is how a limit fared.
type State string

// The states of a verdict. What could not be measured never counts as held.
const (
	Held       State = "held"
	Missed     State = "missed"
	Unmeasured State = "unmeasured"
)

// Missed is the limits that were missed.
func (r *Report) Missed() (missed []Verdict) {
	for _, v := range r.Verdicts {
		if v.State == Missed {
			missed = append(missed, v)
		}
	}
	return missed
}

// WriteJSON writes reports for machines: a list, one entry for each profile and target.
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

// WarmUp is how many requests of a kind open connections and fill caches before what the backend adds is counted.
const WarmUp = 10
