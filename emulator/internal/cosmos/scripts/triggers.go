package scripts

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// TriggerNames holds the names of the triggers in a request. A trigger runs only if the request names it.
type TriggerNames struct{ pre, post string }

// ReadTriggerNames returns the names of the triggers in a request.
func ReadTriggerNames(r *operation.Request) TriggerNames {
	return TriggerNames{pre: r.Header("X-Ms-Documentdb-Pre-Trigger-Include"),
		post: r.Header("X-Ms-Documentdb-Post-Trigger-Include")}
}

// Reject returns an error if triggers are named. It is for operations that do not support them.
func (n TriggerNames) Reject() *wire.Error {
	if n != (TriggerNames{}) {
		return wire.BadRequest("Triggers are not supported for this operation.")
	}
	return nil
}

// Find returns the named triggers for an operation (Create, Replace, Upsert or Delete), or nil if none is named.
func (n TriggerNames) Find(r *operation.Run, name string) (*Triggers, *wire.Error) {
	if n == (TriggerNames{}) {
		return nil, nil
	}
	t := &Triggers{run: r, operation: name}
	var err *wire.Error
	if t.pre, err = t.find(n.pre, "pre"); err != nil {
		return nil, err
	}
	if t.post, err = t.find(n.post, "post"); err != nil {
		return nil, err
	}
	t.items = r.Container.ItemIndex()
	return t, nil
}

// Triggers are the triggers that run before and after a write of an item, in its transaction. A nil *Triggers runs
// none.
type Triggers struct {
	run       *operation.Run
	items     *index.Index // by which they read the items of the partition; nil: they list them
	operation string       // Create, Replace, Upsert or Delete
	pre, post *engine.ChildResource
	request   doc.Value // as the pre-trigger left it; undefined: there is no pre-trigger
	response  doc.Value // as the post-trigger left it
}

// find returns the trigger in a header, which may name at most one ("Azure Cosmos DB service quotas": one pre-trigger
// and one post-trigger per write operation).
func (w *Triggers) find(header, when string) (*engine.ChildResource, *wire.Error) {
	id := strings.TrimSpace(header)
	if id == "" {
		return nil, nil
	}
	if strings.Contains(id, ",") {
		return nil, wire.InvalidInput("A write may have one %s-trigger; the request names %s.", when, header)
	}
	trigger, err := w.run.FindChild(w.run.Container.Scripts(wire.KindTrigger), id)
	switch {
	case err != nil:
		return nil, err
	case trigger == nil:
		return nil, wire.BadRequest("The trigger %s, which the request includes, does not exist in the container.", id)
	case !strings.EqualFold(trigger.Body.Field("triggerType").Str(), when):
		return nil, wire.BadRequest("The trigger %s is not a %s-trigger.", id, when)
	case !w.appliesTo(trigger.Body.Field("triggerOperation").Str()):
		return nil, wire.BadRequest("The trigger %s is not for the operation %s.", id, w.operation)
	}
	return trigger, nil
}

// appliesTo reports whether a trigger applies to the operation. Update is an older word for Replace.
func (w *Triggers) appliesTo(operation string) bool {
	if strings.EqualFold(operation, "update") {
		operation = "replace"
	}
	return strings.EqualFold(operation, "all") || strings.EqualFold(operation, w.operation)
}

func (w *Triggers) trigger(child *engine.ChildResource, request doc.Value) script.Trigger {
	return script.Trigger{Name: child.ID + ".js", Source: child.Body.Field("body").Str(), Operation: w.operation,
		Request: request}
}

// Transact is Run.Transact for a write that may have triggers.
func (w *Triggers) Transact(r *operation.Run, key doc.PartitionKey,
	fn func(*engine.Transaction) *wire.Error) (*engine.Transaction, *wire.Error) {
	if w == nil {
		return r.Transact(key, fn)
	}
	return r.TransactOptimistic(key, fn)
}

// partition returns the items that a trigger can access.
func (w *Triggers) partition(t *engine.Transaction) *partitionItems {
	return &partitionItems{r: w.run, t: t, index: w.items}
}

// Before runs the pre-trigger on a document to be written and returns the item that results. With triggers, each
// attempt of the transaction gets an item of its own.
func (w *Triggers) Before(t *engine.Transaction, v doc.Value, item *engine.Item) (*engine.Item, *wire.Error) {
	if w == nil {
		return item, nil
	}
	w.request, w.response = doc.Value{}, doc.Value{}
	if w.pre == nil {
		if item == nil {
			return nil, nil
		}
		clone := *item
		return &clone, nil
	}
	document, err := w.run.Account.Scripts.PreTrigger(w.run.Ctx, w.trigger(w.pre, v), w.partition(t))
	if err != nil {
		return nil, w.run.ScriptError(err)
	}
	if item == nil { // for a delete
		return nil, nil
	}
	if document.Kind() != doc.Map {
		return nil, wire.BadRequest("The pre-trigger must leave a JSON object as the request's body.")
	}
	w.request = document
	return t.NewItem(document)
}

// After runs the post-trigger on the written item; made is nil for a delete. The trigger sees the request as the
// pre-trigger left it.
func (w *Triggers) After(t *engine.Transaction, v doc.Value, item *engine.Item) *wire.Error {
	if w == nil || w.post == nil {
		return nil
	}
	if w.request.Defined() {
		v = w.request
	}
	trigger := w.trigger(w.post, v)
	if item != nil {
		if err := t.AssignRID(item); err != nil {
			return err
		}
		response, err := t.Container.Value(item)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		trigger.Response = response
	}
	response, err := w.run.Account.Scripts.PostTrigger(w.run.Ctx, trigger, w.partition(t))
	if err != nil {
		return w.run.ScriptError(err)
	}
	if item != nil {
		w.response = response
	}
	return nil
}

// Reply replaces the body of the response with what the post-trigger left.
func (w *Triggers) Reply(as operation.Encoding) {
	if w != nil && w.response.Defined() && len(w.run.Out.Body) > 0 {
		w.run.Out.Body = as.Encode(w.response)
	}
}

// Document returns the request's document as triggers see it when the item exists: with the system properties of the
// item, because triggers use its _self. For a delete, which has no document, it returns the item.
func (w *Triggers) Document(t *engine.Transaction, v doc.Value, id string) (doc.Value, *wire.Error) {
	if w == nil {
		return v, nil
	}
	old, readErr := t.Read(id)
	if readErr != nil || old == nil {
		return v, readErr
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
