package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/patch"
)

// patchDocument changes parts of an item.
func patchDocument(c *call) *Error {
	p, err := c.readPatch()
	if err != nil {
		return err
	}
	if err := c.noTriggers(); err != nil {
		return err
	}
	key, err := c.partitionKey()
	if err != nil {
		return err
	}
	var made *item
	t, err := c.transact(key, func(t *transaction) (err *Error) {
		made, _, err = t.patchItem(c.itemID(), p, c.conditions())
		return err
	})
	if err != nil && err.Status == http.StatusNotFound {
		return nothingToPatch()
	}
	if err != nil {
		return err
	}
	c.replyWritten(http.StatusOK, t, made)
	return nil
}

// nothingToPatch is an item to be patched that is not there, in the words of the back end (Java's itemPatchFailure).
func nothingToPatch() *Error {
	e := serviceError("Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found")
	e.Status, e.Code = http.StatusNotFound, "NotFound"
	return e
}

// readPatch is the request's body as a patch.
func (c *call) readPatch() (*patch.Patch, *Error) {
	if len(c.body) > maxItem {
		return nil, tooLarge()
	}
	v, err := c.json()
	if err != nil {
		return nil, err
	}
	p, problem := patch.Parse(v)
	if problem != nil {
		return nil, badRequest("%s", problem)
	}
	return p, nil
}

// patchItem patches the item of an id, and returns it as it is and as it was.
func (t *transaction) patchItem(id string, p *patch.Patch, want conditions) (made, old *item, err *Error) {
	if old, err = t.existing(id, want); err != nil {
		return nil, nil, err
	}
	if err := t.checkCondition(old, p.Condition); err != nil {
		return nil, nil, err
	}
	v, problem := doc.Parse(old.body)
	if problem != nil {
		return nil, nil, t.container.state.internal(problem)
	}
	if v, problem = p.Apply(v); problem != nil {
		return nil, nil, badRequest("%s", problem)
	}
	if made, err = newItem(t.definition, v); err != nil {
		return nil, nil, err
	}
	if key, problem := t.definition.key.Of(v); made.id != id || problem != nil || !key.Equal(t.key) {
		return nil, nil, badRequest("The id and the partition key of an item cannot be patched.")
	}
	t.charge += chargeReplace(made)
	return made, old, t.put(made)
}
