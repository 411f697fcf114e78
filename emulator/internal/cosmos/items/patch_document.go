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
	p, problem := patch.Parse(v)
	if problem != nil {
		return nil, wire.BadRequest("%s", problem)
	}
	return p, nil
}

func runPatch(r *operation.Run, in patchInput) *wire.Error {
	var made *engine.Item
	t, err := r.Transact(in.key, func(t *engine.Transaction) (err *wire.Error) {
		made, _, err = patchItem(t, in.id, in.patch, in.conditions)
		return err
	})
	if err != nil && err.Status == http.StatusNotFound {
		return nothingToPatch()
	}
	if err != nil {
		return err
	}
	replyWritten(r, http.StatusOK, t, made, in.encoding)
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
func patchItem(t *engine.Transaction, id string, p *patch.Patch, conditions engine.Conditions) (made, old *engine.Item,
	err *wire.Error) {
	if old, err = t.ReadExisting(id, conditions); err != nil {
		return nil, nil, err
	}
	if err := CheckCondition(t, old, p.Condition); err != nil {
		return nil, nil, err
	}
	v, problem := doc.Parse(old.Body)
	if problem != nil {
		return nil, nil, t.Container.State.Internal(problem)
	}
	if v, problem = p.Apply(v); problem != nil {
		return nil, nil, wire.BadRequest("%s", problem)
	}
	if made, err = engine.NewItem(t.Definition, v); err != nil {
		return nil, nil, err
	}
	if key, problem := t.Definition.Key.FromDocument(v); made.ID != id || problem != nil || !key.Equal(t.Key) {
		return nil, nil, wire.BadRequest("The id and the partition key of an item cannot be patched.")
	}
	t.Charge += engine.ChargeReplace(made)
	return made, old, t.Put(made)
}
