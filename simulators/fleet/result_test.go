package fleet_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

func result() fleet.Result {
	from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	return fleet.Result{
		Run: sim.Run{Simulator: fleet.Simulator, Seed: 1, From: from, To: from.Add(24 * time.Hour), WallSeconds: 92.18,
			Requests: 13373, ResponsesLost: 134, Reconciled: true},
		Devices: 50, Reboots: 68, Crashes: 7, Outages: 31, Made: 14350, Sent: 14575, Stored: 14350, Duplicate: 225,
		ReadBack: 14350, Matched: 14350,
	}
}

const table = `50 devices, 24h0m0s simulated in 1m32.2s, seed 1
  14,350 readings made
  14,575 sent, including repeats
  14,350 acknowledged as stored
     225 acknowledged as duplicate
       0 rejected
  13,373 requests: 0 failed, 134 responses lost
      31 outages, 68 boots, 7 crashes
  14,350 read back
       0 lost
       0 stored twice
       0 changed
PASS: every reading was stored exactly once and unchanged
`

func TestResultAsText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := result().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(table, b.String()); diff != "" {
		t.Error(diff)
	}
	bad := result()
	bad.Lost, bad.Faults = 1, []string{"lost: 02:00_x"}
	b.Reset()
	if err := bad.WriteText(&b); err != nil || !strings.Contains(b.String(),
		"\nlost: 02:00_x\nFAIL: of 14,350 readings, 1 are lost") {
		t.Error(err, b.String())
	}
}

// TestAFleetWithoutReadingsFails has the result of a fleet without readings. It fails, unless it was stopped before the
// first, as tabletop up may be, or is of a shard.
func TestAFleetWithoutReadingsFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*fleet.Result)
		want   string
	}{
		"ended":   {func(*fleet.Result) {}, "FAIL: no reading was made, so nothing was compared: simulate a longer time"},
		"stopped": {func(r *fleet.Result) { r.Stopped = true }, "PASS: no reading was made yet, so there was nothing to compare"},
		"shard": {func(r *fleet.Result) { r.Shard = sim.Shard{Number: 1, Of: 3} },
			"PASS: no reading was made yet, so there was nothing to compare"},
	} {
		none := fleet.Result{Run: sim.Run{Reconciled: true}, Devices: 10}
		c.change(&none)
		var b bytes.Buffer
		if err := none.WriteText(&b); err != nil || !strings.HasSuffix(b.String(), c.want+"\n") {
			t.Errorf("%s: %v, %s", name, err, b.String())
		}
		if failed := none.Err() != nil; failed != strings.HasPrefix(c.want, "FAIL") {
			t.Errorf("%s: %v", name, none.Err())
		}
	}
}

func TestResultAsJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := result().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back fleet.Result
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(result(), back); diff != "" {
		t.Error(diff)
	}
}

func TestCountersInALine(t *testing.T) {
	t.Parallel()
	c := fleet.Counters{Simulated: time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC), Lag: 3 * time.Second, Devices: 1000,
		RequestsPerSec: 33.3, Stored: 9, Duplicate: 2, Buffered: 7, Offline: 4, Errors: 1}
	want := "1 errors  3s behind  33.3 requests/s  9 stored  devices at 2026-03-01 12:30  7 buffered  4 offline  2 duplicates"
	if got := c.Line(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.ReadBack = 300
	if got := c.Line(); !strings.HasPrefix(got, "1 errors  3s behind  300 of 1,000 devices read back  ") {
		t.Error(got)
	}
}
