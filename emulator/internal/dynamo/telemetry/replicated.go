package telemetry

import "time"

// ReplicatedWrite is a write of an item of a global table in one region as it reaches a replica in another, or as it is
// throttled there.
type ReplicatedWrite struct {
	Source          string    // the account of the table that was written; empty without isolation
	Account, Region string    // of the replica
	Table           string    // the name that both have
	Strong          bool      // the replica has multi-Region strong consistency
	Written, Time   time.Time // when the item was written, and now; on the emulator's clock
	Charges         []Charge  // the capacity that the replica consumed; none while it is throttled
	Throttle        *Throttle // nil: the write was applied; otherwise it is tried again later
}
