package operation

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Admit admits a request on a logical partition, or returns an error if its physical partition is out of throughput.
// SpendCharge deducts the request's charge when it has ended.
func (r *Run) Admit(e doc.EPK) *wire.Error { return r.AdmitTo(r.Container.PartitionOf(e)) }

// AdmitTo is Admit for physical partitions.
func (r *Run) AdmitTo(parts ...*engine.Partition) *wire.Error {
	r.spends = parts
	if !r.Account.Throttling {
		return nil
	}
	now := r.Account.Now()
	for _, p := range parts {
		if b := p.Budget.Load(); b != nil {
			if wait := b.Wait(now); wait > 0 {
				p.Load.Refuse(now)
				r.spends = nil
				return wire.TooManyRequests(wait)
			}
		}
	}
	return nil
}

// SpendCharge deducts the request's charge from the budgets of the partitions it was admitted to, in equal shares.
func (r *Run) SpendCharge() {
	now := r.Account.Now()
	for _, p := range r.spends {
		share := r.Charge / float64(len(r.spends))
		normalized := 0.0
		if b := p.Budget.Load(); b != nil {
			normalized = b.Spend(now, share)
		}
		p.Load.Note(now, share, normalized)
	}
}

// ReadCost returns the charge of a read at the request's consistency level: twice as much if the read contacts several
// replicas ("Consistency levels in Azure Cosmos DB", consistency guarantees and throughput).
func (r *Run) ReadCost(charge float64) float64 {
	if r.Doubled {
		return 2 * charge
	}
	return charge
}
