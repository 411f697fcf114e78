package operation

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Admit lets a request on a logical partition begin, or refuses it where its physical partition has spent its
// throughput. What the request costs in the end is spent when it has ended.
func (r *Run) Admit(e doc.EPK) *wire.Error { return r.AdmitTo(r.Container.PartitionOf(e)) }

// AdmitTo is admit for physical partitions.
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

// SpendCharge spends what the request cost on the partitions that it was admitted to, each its share.
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

// ReadCost is what a read costs at the request's consistency level: twice as much where it meets several replicas
// ("Consistency levels in Azure Cosmos DB", consistency guarantees and throughput).
func (r *Run) ReadCost(charge float64) float64 {
	if r.Doubled {
		return 2 * charge
	}
	return charge
}
