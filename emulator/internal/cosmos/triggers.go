package cosmos

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
)

// triggers are what a write of an item has run before and after it, in its transaction; nil: nothing.
type triggers struct {
	c         *call
	operation string // Create, Replace, Upsert or Delete
	pre, post *ChildResource
	request   doc.Value // as the pre-trigger left it; undefined where there is none
	response  doc.Value // what the post-trigger left
}

// namedTriggers are what the request's headers say of triggers.
func (c *call) namedTriggers() (before, after string) {
	return c.header("X-Ms-Documentdb-Pre-Trigger-Include"), c.header("X-Ms-Documentdb-Post-Trigger-Include")
}

// noTriggers refuses a request that names triggers for what has none.
func (c *call) noTriggers() *Error {
	if before, after := c.namedTriggers(); before != "" || after != "" {
		return badRequest("Triggers are not supported for this operation.")
	}
	return nil
}

// findTriggers are those that the request's headers name for an operation. Triggers run only where they are named.
func (c *call) findTriggers(operation string) (*triggers, *Error) {
	before, after := c.namedTriggers()
	if before == "" && after == "" {
		return nil, nil
	}
	r := &triggers{c: c, operation: operation}
	var err *Error
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
func (r *triggers) find(header, when string) (*ChildResource, *Error) {
	id := strings.TrimSpace(header)
	if id == "" {
		return nil, nil
	}
	if strings.Contains(id, ",") {
		return nil, invalidInput("A write may have one %s-trigger; the request names %s.", when, header)
	}
	one, err := r.c.findChild(r.c.container.scripts(kindTrigger), id)
	switch {
	case err != nil:
		return nil, err
	case one == nil:
		return nil, badRequest("The trigger %s, which the request includes, does not exist in the container.", id)
	case !strings.EqualFold(one.body.Field("triggerType").Str(), when):
		return nil, badRequest("The trigger %s is not a %s-trigger.", id, when)
	case !r.fits(one.body.Field("triggerOperation").Str()):
		return nil, badRequest("The trigger %s is not for the operation %s.", id, r.operation)
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

func (r *triggers) trigger(one *ChildResource, request doc.Value) script.Trigger {
	return script.Trigger{Name: one.id + ".js", Source: one.body.Field("body").Str(), Operation: r.operation, Request: request}
}

// transact is call.transact for a write that may have triggers.
func (r *triggers) transact(c *call, key doc.PartitionKey, fn func(*transaction) *Error) (*transaction, *Error) {
	if r == nil {
		return c.transact(key, fn)
	}
	return c.transactScripts(key, fn)
}

// before runs the pre-trigger on what is to be written, and gives the item that it made of it: with triggers, one of its own
// for each try of the transaction.
func (r *triggers) before(t *transaction, v doc.Value, made *item) (*item, *Error) {
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
	changed, err := r.c.account.scripts.PreTrigger(r.c.ctx, r.trigger(r.pre, v), &partitionItems{r.c, t})
	if err != nil {
		return nil, r.c.scriptError(err)
	}
	if made == nil { // of a delete
		return nil, nil
	}
	if changed.Kind() != doc.Map {
		return nil, badRequest("The pre-trigger left no JSON object as the request's body.")
	}
	r.request = changed
	return t.item(changed)
}

// after runs the post-trigger on what was written; nil: it was deleted. It sees the request as the pre-trigger left it.
func (r *triggers) after(t *transaction, v doc.Value, made *item) *Error {
	if r == nil || r.post == nil {
		return nil
	}
	if r.request.Defined() {
		v = r.request
	}
	trigger := r.trigger(r.post, v)
	if made != nil {
		if err := t.number(made); err != nil {
			return err
		}
		response, err := t.container.value(made)
		if err != nil {
			return t.container.state.internal(err)
		}
		trigger.Response = response
	}
	left, err := r.c.account.scripts.PostTrigger(r.c.ctx, trigger, &partitionItems{r.c, t})
	if err != nil {
		return r.c.scriptError(err)
	}
	if made != nil {
		r.response = left
	}
	return nil
}

// reply puts what the post-trigger left in the place of the item that was written.
func (r *triggers) reply() {
	if r != nil && r.response.Defined() && len(r.c.out.body) > 0 {
		r.c.out.body = r.c.encoded(r.response)
	}
}

// document is what triggers see of a request on an item that is there: the document that it writes with the system
// properties of the item, by whose _self they go; of a delete, which has none, the item.
func (r *triggers) document(t *transaction, v doc.Value, id string) (doc.Value, *Error) {
	if r == nil {
		return v, nil
	}
	old, problem := t.read(id)
	if problem != nil || old == nil {
		return v, problem
	}
	full, err := t.container.value(old)
	if err != nil {
		return v, t.container.state.internal(err)
	}
	if v.Len() == 0 {
		return full, nil
	}
	for _, name := range []string{"_rid", "_self", "_etag", "_attachments", "_ts"} {
		v = v.With(name, full.Field(name))
	}
	return v, nil
}
