package metrics

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// Replicated records a write that reached a replica, or was throttled there; it is part of dynamo.Config's
// OnReplicatedWrite. The capacity is that of the replica's region, the latency that of the source's. Tables with strong
// consistency have no latency. (Developer guide, "How DynamoDB global tables work"; prescriptive guidance, "Overview of
// global tables".)
func (r *Recorder) Replicated(w *telemetry.ReplicatedWrite) {
	at := w.Time.Unix()
	if w.Throttle != nil {
		r.throttled(w.Account, *w.Throttle, at)
		return
	}
	for i := range w.Charges {
		r.charge(keyOf(w.Account, &w.Charges[i])).Observe(at, w.Charges[i].Units)
	}
	if w.Strong {
		return
	}
	latency := float64(w.Time.Sub(w.Written)) / float64(time.Millisecond)
	r.registry.Series(ID{w.Source, Namespace, "ReplicationLatency",
		[]Dimension{{"ReceivingRegion", w.Region}, {"TableName", w.Table}}}, milliseconds).Observe(at, latency)
}
