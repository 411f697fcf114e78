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
	key    doc.PartitionKey
	id     string
	want   operation.Freshness
	have   engine.Conditions
	answer operation.Encoding
}

func readRead(r *operation.Request, on *engine.Container) (in readInput, err *wire.Error) {
	if in.key, err = r.PartitionKey(on.Definition.Load()); err != nil {
		return in, err
	}
	in.id, in.have, in.answer = r.ItemID(on), r.Conditions(), r.Encoding()
	in.want, err = r.Freshness(on)
	return in, err
}

func runRead(r *operation.Run, in readInput) *wire.Error {
	if err := r.ChooseReplica(in.want); err != nil {
		return err
	}
	def := r.Container.Definition.Load()
	epk := def.Key.EPK(in.key)
	if err := r.Admit(epk); err != nil {
		return err
	}
	lsn := r.ReplicaLSN()
	now, living := r.Account.Now().Unix(), false
	r.Charge = r.ReadCost(throughput.ChargeRead(0))
	found, problem := r.Point(r.Container.IdentityKey(epk, in.key, in.id), func(i *engine.Item) error {
		if living = !i.Expired(def.DefaultTTL, now); living {
			in.reply(r, i, max(lsn, i.LSN))
		}
		return nil
	})
	if problem != nil {
		return r.Internal(problem)
	}
	if !found || !living {
		r.SetPartitionHeaders(epk, lsn)
		return wire.NotFound(in.id)
	}
	return nil
}

// reply replies with an item, or with 304 if the client has the current version.
func (in *readInput) reply(r *operation.Run, i *engine.Item, lsn uint64) {
	r.Charge = r.ReadCost(throughput.ChargeRead(i.Size()))
	r.SetItemHeaders(i, lsn)
	if in.have.NoneMatch != "" && in.have.Unchanged(i.ETag.ETag()) {
		r.Out.ETag = i.ETag.ETag()
		r.ReplyNothing(http.StatusNotModified)
		return
	}
	r.ReplyItem(http.StatusOK, i, in.answer)
}
