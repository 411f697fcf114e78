package emulator

import (
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	cosmostelemetry "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// watcher passes what happens to the console while somebody watches there.
type watcher struct {
	to atomic.Pointer[control.Observer]
}

func (w *watcher) set(o *control.Observer) { w.to.Store(o) }

func (w *watcher) observeDynamoDB(e *telemetry.Event) {
	if o := w.to.Load(); o != nil {
		o.DynamoDB(e)
	}
}

func (w *watcher) observeCosmos(e *cosmostelemetry.Event) {
	if o := w.to.Load(); o != nil {
		o.Cosmos(e)
	}
}

func (w *watcher) changed(c control.Change) {
	if o := w.to.Load(); o != nil {
		o.Changed(c)
	}
}

// itemExpired records that time to live deleted an item of DynamoDB.
func (e *Emulator) itemExpired(account, table string, at time.Time) {
	e.metrics.recorder.Expired(account, table, at)
	e.watcher.changed(control.Change{Cloud: control.DynamoDB, Kind: control.ItemsChange, Name: table})
}

// transitionEnded records that some table of DynamoDB has left a transitional state.
func (e *Emulator) transitionEnded() {
	e.metrics.refresh()
	e.watcher.changed(control.Change{Cloud: control.DynamoDB, Kind: control.SchemaChange})
}
