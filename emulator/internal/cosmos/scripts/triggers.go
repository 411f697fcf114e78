package scripts

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// triggers are what a write of an item has run before and after it, in its transaction; nil: nothing.
type triggers struct {
	c         *operation.Call
	operation string // Create, Replace, Upsert or Delete
	pre, post *engine.ChildResource
	request   doc.Value // as the pre-trigger left it; undefined where there is none
	response  doc.Value // what the post-trigger left
}

// namedTriggers are what the request's headers say of triggers.
func namedTriggers(c *operation.Call) (before, after string) {
	return c.Header("X-Ms-Documentdb-Pre-Trigger-Include"), c.Header("X-Ms-Documentdb-Post-Trigger-Include")
}

// NoTriggers refuses a request that names triggers for what has none.
func NoTriggers(c *operation.Call) *wire.Error {
	if before, after := namedTriggers(c); before != "" || after != "" {
		return wire.BadRequest("Triggers are not supported for this operation.")
	}
	return nil
}

// FindTriggers are those that the request's headers name for an operation. Triggers run only where they are named.
func FindTriggers(c *operation.Call, operation string) (*triggers, *wire.Error) {
	before, after := namedTriggers(c)
	if before == "" && after == "" {
		return nil, nil
	}
	r := &triggers{c: c, operation: operation}
	var err *wire.Error
	if r.pre, err = r.find(before, "pre"); err != nil {
		return nil, err
	}
	if r.post, err = r.find(after, "post"); err != nil {
		return nil, err
	}
	return r, nil
}

// find finds the trigger that a header names: one at most ("Azure Cosmos DB service quotas": one pre-trigger and one
// post-trigger per write operation).
func (r *triggers) find(header, when string) (*engine.ChildResource, *wire.Error) {
	id := strings.TrimSpace(header)
	if id == "" {
		return nil, nil
	}
	if strings.Contains(id, ",") {
		return nil, wire.InvalidInput("A write may have one %s-trigger; the request names %s.", when, header)
	}
	one, err := r.c.FindChild(r.c.Container.Scripts(wire.KindTrigger), id)
	switch {
	case err != nil:
		return nil, err
	case one == nil:
		return nil, wire.BadRequest("The trigger %s, which the request includes, does not exist in the container.", id)
	case !strings.EqualFold(one.Body.Field("triggerType").Str(), when):
		return nil, wire.BadRequest("The trigger %s is not a %s-trigger.", id, when)
	case !r.fits(one.Body.Field("triggerOperation").Str()):
		return nil, wire.BadRequest("The trigger %s is not for the operation %s.", id, r.operation)
	}
	return one, nil
}

// fits says whether a trigger is for the operation. Update is an older word for Replace.
func (r *triggers) fits(operation string) bool {
	if strings.EqualFold(operation, "update") {
		operation = "replace"
	}
	return strings.EqualFold(operation, "all") || strings.EqualFold(operation, r.operation)
}

func (r *triggers) trigger(one *engine.ChildResource, request doc.Value) script.Trigger {
	return script.Trigger{Name: one.ID + ".js", Source: one.Body.Field("body").Str(), Operation: r.operation, Request: request}
}

// Transact is Call.Transact for a write that may have triggers.
func (r *triggers) Transact(c *operation.Call, key doc.PartitionKey, fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	if r == nil {
		return c.Transact(key, fn)
	}
	return c.TransactScripts(key, fn)
}

// Before runs the pre-trigger on what is to be written, and gives the item that it made of it: with triggers, one of its own
// for each try of the transaction.
func (r *triggers) Before(t *engine.Transaction, v doc.Value, made *engine.Item) (*engine.Item, *wire.Error) {
	if r == nil {
		return made, nil
	}
	r.request, r.response = doc.Value{}, doc.Value{}
	if r.pre == nil {
		if made == nil {
			return nil, nil
		}
		own := *made
		return &own, nil
	}
	changed, err := r.c.Account.Scripts.PreTrigger(r.c.Ctx, r.trigger(r.pre, v), &partitionItems{r.c, t})
	if err != nil {
		return nil, r.c.ScriptError(err)
	}
	if made == nil { // of a delete
		return nil, nil
	}
	if changed.Kind() != doc.Map {
		return nil, wire.BadRequest("The pre-trigger left no JSON object as the request's body.")
	}
	r.request = changed
	return t.Item(changed)
}

// After runs the post-trigger on what was written; nil: it was deleted. It sees the request as the pre-trigger left it.
func (r *triggers) After(t *engine.Transaction, v doc.Value, made *engine.Item) *wire.Error {
	if r == nil || r.post == nil {
		return nil
	}
	if r.request.Defined() {
		v = r.request
	}
	trigger := r.trigger(r.post, v)
	if made != nil {
		if err := t.Number(made); err != nil {
			return err
		}
		response, err := t.Container.Value(made)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		trigger.Response = response
	}
	left, err := r.c.Account.Scripts.PostTrigger(r.c.Ctx, trigger, &partitionItems{r.c, t})
	if err != nil {
		return r.c.ScriptError(err)
	}
	if made != nil {
		r.response = left
	}
	return nil
}

// Reply puts what the post-trigger left in the place of the item that was written.
func (r *triggers) Reply() {
	if r != nil && r.response.Defined() && len(r.c.Out.Body) > 0 {
		r.c.Out.Body = r.c.Encoded(r.response)
	}
}

// Document is what triggers see of a request on an item that is there: the document that it writes with the system
// properties of the item, by whose _self they go; of a delete, which has none, the item.
func (r *triggers) Document(t *engine.Transaction, v doc.Value, id string) (doc.Value, *wire.Error) {
	if r == nil {
		return v, nil
	}
	old, problem := t.Read(id)
	if problem != nil || old == nil {
		return v, problem
	}
	full, err := t.Container.Value(old)
	if err != nil {
		return v, t.Container.State.Internal(err)
	}
	if v.Len() == 0 {
		return full, nil
	}
	for _, name := range []string{"_rid", "_self", "_etag", "_attachments", "_ts"} {
		v = v.With(name, full.Field(name))
	}
	return v, nil
}
