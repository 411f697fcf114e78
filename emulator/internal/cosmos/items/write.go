package items

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// writeInput is a document to be written, the item that it becomes, and the options of the request.
type writeInput struct {
	document   doc.Value
	item       *engine.Item
	key        doc.PartitionKey
	conditions engine.Conditions
	triggers   scripts.TriggerNames
	encoding   operation.Encoding
}

// readWrite reads the input of a write.
func readWrite(r *operation.Request, container *engine.Container) (in writeInput, err *wire.Error) {
	if in.document, err = readDocument(r); err != nil {
		return in, err
	}
	def := container.Definition.Load()
	if in.key, err = r.DocumentKey(def, in.document); err != nil {
		return in, err
	}
	if in.item, err = engine.NewItem(def, in.document); err != nil {
		return in, err
	}
	in.conditions, in.triggers, in.encoding = r.Conditions(), scripts.ReadTriggerNames(r), r.Encoding()
	return in, applyIndexingDirective(r, in.item, def.Indexing)
}

// readDocument returns the request's body, parsed as a document.
func readDocument(r *operation.Request) (doc.Value, *wire.Error) {
	if len(r.Body) > engine.MaxItemBytes {
		return doc.Value{}, wire.TooLarge()
	}
	v, err := r.JSON()
	if err == nil && v.Kind() != doc.Map {
		return v, wire.BadRequest("One of the specified inputs is invalid")
	}
	return v, err
}

// applyIndexingDirective applies x-ms-indexing-directive: an item that is not indexed is not charged for indexing.
// Queries still find it; in the service, queries that use only the index may not.
func applyIndexingDirective(r *operation.Request, item *engine.Item, policy *index.Policy) *wire.Error {
	switch directive := r.Header("X-Ms-Indexing-Directive"); {
	case strings.EqualFold(directive, "Exclude"), !policy.Automatic && !strings.EqualFold(directive, "Include"):
		item.IndexingCharge = 0
	case directive != "" && !wire.IsOneOf(directive, "Default", "Include"):
		return wire.InvalidInput("The indexing directive %q is none of Default, Include and Exclude.", directive)
	}
	return nil
}

// replyWritten replies to a write of an item.
func replyWritten(r *operation.Run, status int, t *engine.Transaction, i *engine.Item, encoding operation.Encoding) {
	r.SetItemHeaders(i, t.LSN)
	r.ReplyItem(status, i, encoding)
}
