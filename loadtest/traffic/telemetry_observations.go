package traffic

import (
	"slices"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// telemetryObservations are what an attack on telemetry measured.
type telemetryObservations struct {
	Readings    result.Outcomes  `json:"readings"`
	KeyUses     []int64          `json:"key_uses"`     // requests sent, by API key
	Writes      map[string][]int `json:"writes"`       // by device and tenth of the rule's window
	ReportedHot []string         `json:"reported_hot"` // hot devices that the service reports; nil: not read
}

func (t *telemetryObservations) add(other *telemetryObservations) {
	t.Readings.Stored += other.Readings.Stored
	t.Readings.Duplicate += other.Readings.Duplicate
	t.Readings.Rejected += other.Readings.Rejected
	t.KeyUses = addEach(t.KeyUses, other.KeyUses)
	if t.Writes == nil {
		t.Writes = map[string][]int{}
	}
	for id, counts := range other.Writes {
		t.Writes[id] = addEach(t.Writes[id], counts)
	}
	if other.ReportedHot != nil {
		t.ReportedHot = append(append([]string{}, t.ReportedHot...), other.ReportedHot...)
	}
}

// addEach adds the numbers of two lists, of which one may be longer, to the first.
func addEach[N int | int64](a, b []N) []N {
	a = append(a, make([]N, max(0, len(b)-len(a)))...)
	for i, n := range b {
		a[i] += n
	}
	return a
}

// report reports the outcomes of the readings, the devices that wrote too much, and how the requests were distributed
// over the keys.
func (t *telemetryObservations) report(p profile.Profile, r *result.Report) {
	w := writes{hotRule(p.Duration()), t.Writes}
	r.Readings, r.Keys = &t.Readings, keyShares(t.KeyUses, r.Seconds)
	r.HotDevice, r.Hot = &w.rule, w.hot()
	if t.ReportedHot == nil {
		return
	}
	r.ReportedHot = slices.DeleteFunc(slices.Clone(t.ReportedHot), func(id string) bool {
		_, ours := t.Writes[id]
		return !ours
	})
}

// keyShares returns how the sent requests were distributed over the keys.
func keyShares(uses []int64, seconds float64) *result.KeyShares {
	var most, sum int64
	for _, n := range uses {
		most, sum = max(most, n), sum+n
	}
	even := (sum + int64(len(uses)) - 1) / int64(len(uses))
	return &result.KeyShares{Keys: len(uses), LookupsPerSec: float64(sum) / seconds,
		HottestShare: float64(most) / float64(max(sum, 1)), FairShare: float64(even) / float64(max(sum, 1))}
}
