package fleet

import "github.com/tabletop-db/tabletop/simulators/telemetryapi"

// tally counts the events of a run.
type tally struct {
	Made, Stored, Duplicate, Rejected, ResponsesLost int64
	Registrations, Reboots, Crashes, Outages         int64
	storedTwice                                      []string
	rejections                                       []string
	rejected                                         map[string]bool // by batch id
}

func (t *tally) countEvent(e Event) {
	switch {
	case e.Kind == Measured:
		t.Made++
	case e.Kind == NetworkLost:
		t.Outages++
	case e.Kind == Booted:
		t.Reboots++
		if e.Boot.Crashed {
			t.Crashes++
		}
	}
}

// countResponse counts what the backend did with each reading of a request.
func (t *tally) countResponse(a response) {
	if a.register {
		t.Registrations++
		return
	}
	for i, outcome := range a.ack.Results {
		s := a.samples[i]
		switch outcome.Status {
		case telemetryapi.Stored:
			t.Stored++
			if s.stored++; s.stored > 1 {
				t.storedTwice = append(t.storedTwice, outcome.BatchID)
			}
		case telemetryapi.Duplicate:
			t.Duplicate++
		default:
			t.Rejected++
			if t.rejected == nil {
				t.rejected = map[string]bool{}
			}
			t.rejected[outcome.BatchID] = true
			t.rejections = append(t.rejections, outcome.BatchID+": "+outcome.Reason)
		}
	}
}
