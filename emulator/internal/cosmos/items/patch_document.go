package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/patch"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// PatchDocument applies a patch to an item.
func PatchDocument(c *operation.Call) *wire.Error { return operation.Do(c, readPatch, runPatch) }

type patchInput struct {
	patch      *patch.Patch
	key        doc.PartitionKey
	id         string
	conditions engine.Conditions
	encoding   operation.Encoding
}

func readPatch(r *operation.Request, container *engine.Container) (in patchInput, err *wire.Error) {
	if in.patch, err = readPatchBody(r); err != nil {
		return in, err
	}
	if err := scripts.ReadTriggerNames(r).Reject(); err != nil {
		return in, err
	}
	in.id, in.conditions, in.encoding = r.ItemID(container), r.Conditions(), r.Encoding()
	in.key, err = r.PartitionKey(container.Definition.Load())
	return in, err
}

// readPatchBody returns the request's body, parsed as a patch.
func readPatchBody(r *operation.Request) (*patch.Patch, *wire.Error) {
	if len(r.Body) > engine.MaxItemBytes {
		return nil, wire.TooLarge()
	}
	v, err := r.JSON()
	if err != nil {
		return nil, err
	}
	p, patchErr := patch.Parse(v)
	if patchErr != nil {
		return nil, wire.BadRequest("%s", patchErr)
	}
	return p, nil
}

func runPatch(r *operation.Run, in patchInput) *wire.Error {
	var patched *engine.Item
	t, err := r.Transact(in.key, func(t *engine.Transaction) (err *wire.Error) {
		patched, _, err = patchItem(t, in.id, in.patch, in.conditions)
		return err
	})
	if err != nil && err.Status == http.StatusNotFound {
		return nothingToPatch()
	}
	if err != nil {
		return err
	}
	replyWritten(r, http.StatusOK, t, patched, in.encoding)
	return nil
}

// nothingToPatch returns the error for a patch of an item that does not exist, with the message of the back end
// (itemPatchFailure of the Java SDK).
func nothingToPatch() *wire.Error {
	e := wire.ServiceError("Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found")
	e.Status, e.Code = http.StatusNotFound, "NotFound"
	return e
}

// patchItem patches the item with an id. It returns the new item and the previous one.
func patchItem(t *engine.Transaction, id string, p *patch.Patch, conditions engine.Conditions) (patched,
	old *engine.Item,
	err *wire.Error) {
	if old, err = t.ReadExisting(id, conditions); err != nil {
		return nil, nil, err
	}
	if err := CheckCondition(t, old, p.Condition); err != nil {
		return nil, nil, err
	}
	v, patchErr := doc.Parse(old.Body)
	if patchErr != nil {
		return nil, nil, t.Container.State.Internal(patchErr)
	}
	if v, patchErr = p.Apply(v); patchErr != nil {
		return nil, nil, wire.BadRequest("%s", patchErr)
	}
	if patched, err = engine.NewItem(t.Definition, v); err != nil {
		return nil, nil, err
	}
	if key, patchErr := t.Definition.Key.FromDocument(v); patched.ID != id || patchErr != nil || !key.Equal(t.Key) {
		return nil, nil, wire.BadRequest("The id and the partition key of an item cannot be patched.")
	}
	t.Charge += engine.ChargeReplace(patched)
	return patched, old, t.Put(patched)
}
