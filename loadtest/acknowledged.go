package loadtest

// acknowledged is what answers said was made, by id, for a comparison with what is there in the end. Counts alone would not do: one that
// is lost and one that is there twice have the right sum.
type acknowledged map[string]int

// Kept is what became of the things that answers said were made.
type Kept struct {
	Acknowledged int64 `json:"acknowledged"`
	Lost         int64 `json:"lost"`    // acknowledged and not there, or acknowledged to two requests and there once
	Doubled      int64 `json:"doubled"` // there more than once
	// Unacknowledged is how many are there that no answer told of; nil where a request failed, which may have made some.
	Unacknowledged *int64 `json:"unacknowledged,omitempty"`
}

// add notes that an answer said that this one was made.
func (a acknowledged) add(id string) { a[id]++ }

// reckon compares with how often each id is there. before has the ids of what was made before the attack, errors is how many
// of its requests failed.
func (a acknowledged) reckon(there map[string]int, before map[string]bool, errors int64) *Kept {
	kept := &Kept{}
	if errors == 0 {
		var n int64
		for id := range there {
			if a[id] == 0 && !before[id] {
				n++
			}
		}
		kept.Unacknowledged = &n
	}
	for id, times := range a {
		kept.Acknowledged += int64(times)
		kept.Lost += int64(max(0, times-max(1, there[id])))
		if there[id] == 0 {
			kept.Lost++
		}
		kept.Doubled += int64(max(0, there[id]-1))
	}
	return kept
}

// keptMetrics are those of what was acknowledged.
func keptMetrics() map[string]metric {
	of := func(f func(*Kept) int64) func(*Report) (float64, bool) {
		return func(r *Report) (float64, bool) {
			if r.Kept == nil {
				return 0, false
			}
			return float64(f(r.Kept)), true
		}
	}
	return map[string]metric{
		"lost":    {unit: "of what was acknowledged", failures: true, of: of(func(k *Kept) int64 { return k.Lost })},
		"doubled": {unit: "of what was acknowledged", failures: true, of: of(func(k *Kept) int64 { return k.Doubled })},
		"unacknowledged": {unit: "things", failures: true, absent: "requests failed, which may have made some", of: func(r *Report) (float64, bool) {
			if r.Kept == nil || r.Kept.Unacknowledged == nil {
				return 0, false
			}
			return float64(*r.Kept.Unacknowledged), true
		}},
		"stale_registrations": {unit: "devices", failures: true, of: func(r *Report) (float64, bool) { return float64(value(r.Stale)), r.Stale != nil }},
	}
}
