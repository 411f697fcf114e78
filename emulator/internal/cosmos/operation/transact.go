package operation

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Transact runs fn in a transaction on a logical partition, as Container.Write does. The response to an error has the
// session token, too.
func (r *Run) Transact(key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction,
	*wire.Error) {
	return r.transactWith(r.Container.Write, key, fn)
}

// TransactOptimistic is Transact for an fn that runs scripts, by Container.WriteOptimistic.
func (r *Run) TransactOptimistic(key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction,
	*wire.Error) {
	return r.transactWith(r.Container.WriteOptimistic, key, fn)
}

// TransactFunc is Container.Write or Container.WriteOptimistic.
type TransactFunc func(context.Context, doc.PartitionKey, func(*engine.Transaction) *wire.Error) (*engine.Transaction,
	*wire.Error)

func (r *Run) transactWith(write TransactFunc, key doc.PartitionKey,
	fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	if err := r.Admit(r.Container.Definition.Load().Key.EPK(key)); err != nil {
		return nil, err
	}
	t, err := write(r.Ctx, key, fn)
	if t != nil {
		r.Charge = max(t.Charge, throughput.ChargeRead(0))
	}
	if err != nil {
		if t != nil {
			r.SetPartitionHeaders(t.EPK, r.Container.Sequence.Floor())
		}
	}
	return t, err
}
