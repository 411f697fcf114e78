package operation

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Admit admits a request on a logical partition, or returns an error if its physical partition is out of throughput.
// SpendCharge deducts the request's charge when it has ended.
func (r *Run) Admit(e doc.EPK) *wire.Error { return r.AdmitPartitions(r.Container.PartitionOf(e)) }

// AdmitPartitions is Admit for physical partitions.
func (r *Run) AdmitPartitions(parts ...*engine.Partition) *wire.Error {
	r.chargedPartitions = parts
	if !r.Account.Throttling {
		return nil
	}
	now := r.Account.Now()
	for _, p := range parts {
		if b := p.Budget.Load(); b != nil {
			if wait := b.Wait(now); wait > 0 {
				p.Load.RecordThrottled(now)
				r.chargedPartitions = nil
				return wire.TooManyRequests(wait)
			}
		}
	}
	return nil
}

// SpendCharge deducts the request's charge from the budgets of the partitions it was admitted to, in equal shares.
func (r *Run) SpendCharge() {
	now := r.Account.Now()
	for _, p := range r.chargedPartitions {
		share := r.Charge / float64(len(r.chargedPartitions))
		normalized := 0.0
		if b := p.Budget.Load(); b != nil {
			normalized = b.Spend(now, share)
		}
		p.Load.Record(now, share, normalized)
	}
}

// ReadCost returns the charge of a read at the request's consistency level: twice as much if the read contacts several
// replicas ("Consistency levels in Azure Cosmos DB", consistency guarantees and throughput).
func (r *Run) ReadCost(charge float64) float64 {
	if r.QuorumRead {
		return 2 * charge
	}
	return charge
}
