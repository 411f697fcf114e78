package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadDocument reads an item by its partition key and id.
func ReadDocument(c *operation.Call) *wire.Error { return operation.Do(c, readRead, runRead) }

type readInput struct {
	key         doc.PartitionKey
	id          string
	consistency operation.ReadConsistency
	conditions  engine.Conditions
	encoding    operation.Encoding
}

func readRead(r *operation.Request, container *engine.Container) (in readInput, err *wire.Error) {
	if in.key, err = r.PartitionKey(container.Definition.Load()); err != nil {
		return in, err
	}
	in.id, in.conditions, in.encoding = r.ItemID(container), r.Conditions(), r.Encoding()
	in.consistency, err = r.ReadConsistency(container)
	return in, err
}

func runRead(r *operation.Run, in readInput) *wire.Error {
	if err := r.ChooseReplica(in.consistency); err != nil {
		return err
	}
	def := r.Container.Definition.Load()
	epk := def.Key.EPK(in.key)
	if err := r.Admit(epk); err != nil {
		return err
	}
	lsn := r.ReplicaLSN()
	now, visible := r.Account.Now().Unix(), false
	r.Charge = r.ReadCost(throughput.ChargeRead(0))
	found, readErr := r.PointRead(r.Container.IdentityKey(epk, in.key, in.id), func(i *engine.Item) error {
		if visible = !i.Expired(def.DefaultTTL, now); visible {
			in.reply(r, i, max(lsn, i.LSN))
		}
		return nil
	})
	if readErr != nil {
		return r.Internal(readErr)
	}
	if !found || !visible {
		r.SetPartitionHeaders(epk, lsn)
		return wire.NotFound(in.id)
	}
	return nil
}

// reply replies with an item, or with 304 if the client has the current version.
func (in *readInput) reply(r *operation.Run, i *engine.Item, lsn uint64) {
	r.Charge = r.ReadCost(throughput.ChargeRead(i.Size()))
	r.SetItemHeaders(i, lsn)
	if in.conditions.NoneMatch != "" && in.conditions.NotModified(i.ETag.ETag()) {
		r.Out.ETag = i.ETag.ETag()
		r.ReplyNothing(http.StatusNotModified)
		return
	}
	r.ReplyItem(http.StatusOK, i, in.encoding)
}
