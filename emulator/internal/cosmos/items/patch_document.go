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

// PatchDocument changes parts of an item.
func PatchDocument(c *operation.Call) *wire.Error {
	p, err := readPatch(c)
	if err != nil {
		return err
	}
	if err := scripts.NoTriggers(c); err != nil {
		return err
	}
	key, err := c.PartitionKey()
	if err != nil {
		return err
	}
	var made *engine.Item
	t, err := c.Transact(key, func(t *engine.Transaction) (err *wire.Error) {
		made, _, err = patchItem(t, c.ItemID(), p, c.Conditions())
		return err
	})
	if err != nil && err.Status == http.StatusNotFound {
		return nothingToPatch()
	}
	if err != nil {
		return err
	}
	replyWritten(c, http.StatusOK, t, made)
	return nil
}

// nothingToPatch is an item to be patched that is not there, in the words of the back end (Java's itemPatchFailure).
func nothingToPatch() *wire.Error {
	e := wire.ServiceError("Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found")
	e.Status, e.Code = http.StatusNotFound, "NotFound"
	return e
}

// readPatch is the request's body as a patch.
func readPatch(c *operation.Call) (*patch.Patch, *wire.Error) {
	if len(c.Body) > engine.MaxItem {
		return nil, wire.TooLarge()
	}
	v, err := c.JSON()
	if err != nil {
		return nil, err
	}
	p, problem := patch.Parse(v)
	if problem != nil {
		return nil, wire.BadRequest("%s", problem)
	}
	return p, nil
}

// patchItem patches the item of an id, and returns it as it is and as it was.
func patchItem(t *engine.Transaction, id string, p *patch.Patch, want engine.Conditions) (made, old *engine.Item, err *wire.Error) {
	if old, err = t.Existing(id, want); err != nil {
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
	if key, problem := t.Definition.Key.Of(v); made.ID != id || problem != nil || !key.Equal(t.Key) {
		return nil, nil, wire.BadRequest("The id and the partition key of an item cannot be patched.")
	}
	t.Charge += engine.ChargeReplace(made)
	return made, old, t.Put(made)
}
