package transfer

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// TestBulkOperationsTakeTheTimeOfTheirRate: with transitional states, 400,000 write units at 1,024 a second take 390.6
// seconds; one that is cancelled ends sooner.
func TestBulkOperationsTakeTheTimeOfTheirRate(t *testing.T) {
	t.Parallel()
	rate := int64(1024)
	for _, c := range []struct {
		states      bool
		status      string
		least, most float64 // seconds
	}{{true, completed, 390.6, 390.7}, {true, cancelled, 1, 6}, {false, completed, 0, 0}} {
		p := &Extension{Engine: engine.NewEngine(engine.EngineConfig{Store: newStore(t, nil), States: c.states,
			Clock: clock.Manual(time.Unix(1000, 0))}, false, 1)}
		x := &Bulk{job: job{Start: 1000, Status: c.status}, Input: StartBulkPutItemsInput{MaxWriteRequestUnits: &rate}}
		x.Written.Units = 400_000
		duration := puttingItems
		if c.status == cancelled {
			duration = stoppingBulk
		}
		p.delayBulk(x, duration)
		if took := x.End - x.Start; took < c.least || took > c.most {
			t.Errorf("%+v: %v seconds", c, took)
		}
	}
}
