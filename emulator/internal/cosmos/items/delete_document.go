package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// DeleteDocument deletes an item by its partition key and id.
func DeleteDocument(c *operation.Call) *wire.Error { return operation.Do(c, readDelete, runDelete) }

type deleteInput struct {
	key        doc.PartitionKey
	id         string
	conditions engine.Conditions
	triggers   scripts.TriggerNames
}

func readDelete(r *operation.Request, container *engine.Container) (deleteInput, *wire.Error) {
	key, err := r.PartitionKey(container.Definition.Load())
	return deleteInput{key: key, id: r.ItemID(container), conditions: r.Conditions(),
		triggers: scripts.ReadTriggerNames(r)}, err
}

func runDelete(r *operation.Run, in deleteInput) *wire.Error {
	triggers, err := in.triggers.Find(r, "Delete")
	if err != nil {
		return err
	}
	var old *engine.Item
	t, err := triggers.Transact(r, in.key, func(t *engine.Transaction) (err *wire.Error) {
		v, err := triggers.Document(t, doc.Object(), in.id)
		if err != nil {
			return err
		}
		if _, err = triggers.Before(t, v, nil); err != nil {
			return err
		}
		if old, err = t.Delete(in.id, in.conditions); err != nil {
			return err
		}
		return triggers.After(t, v, nil)
	})
	if err != nil {
		return err
	}
	r.SetItemHeaders(old, t.LSN)
	r.ReplyNothing(http.StatusNoContent)
	return nil
}
