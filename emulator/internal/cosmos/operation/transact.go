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
func (r *Run) Transact(key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	return r.transactBy(r.Container.Write, key, fn)
}

// TransactScripts is Transact for an fn that runs scripts, by Container.WriteScripts.
func (r *Run) TransactScripts(key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	return r.transactBy(r.Container.WriteScripts, key, fn)
}

// Writer is Container.Write or Container.WriteScripts.
type Writer func(context.Context, doc.PartitionKey, func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error)

func (r *Run) transactBy(write Writer, key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
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
