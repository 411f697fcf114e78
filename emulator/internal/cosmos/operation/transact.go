package operation

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Conditions are those of the request's headers.
func (c *Call) Conditions() engine.Conditions {
	return engine.Conditions{Match: c.Header("If-Match"), NoneMatch: c.Header("If-None-Match")}
}

// Transact runs fn in a transaction on a logical partition, as Container.Write does. An error's answer too says how far the
// partition has come.
func (c *Call) Transact(key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	return c.transactBy(c.Container.Write, key, fn)
}

// TransactScripts is transact for an fn that runs scripts, as Container.WriteScripts does.
func (c *Call) TransactScripts(key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	return c.transactBy(c.Container.WriteScripts, key, fn)
}

// Writer is Container.Write or Container.WriteScripts.
type Writer func(context.Context, doc.PartitionKey, func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error)

func (c *Call) transactBy(write Writer, key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	if err := c.Admit(c.Container.Definition.Load().Key.EPK(key)); err != nil {
		return nil, err
	}
	t, err := write(c.Ctx, key, fn)
	if t != nil {
		c.Charge = max(t.Charge, throughput.ChargeRead(0))
	}
	if err != nil {
		if t != nil {
			c.SetPartitionHeaders(t.EPK, c.Container.Sequence.Floor())
		}
	}
	return t, err
}
