package items

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// readDocumentBody is the request's body as the document of an item.
func readDocumentBody(c *operation.Call) (doc.Value, *wire.Error) {
	if len(c.Body) > engine.MaxItem {
		return doc.Value{}, wire.TooLarge()
	}
	v, err := c.JSON()
	if err == nil && v.Kind() != doc.Map {
		return v, wire.BadRequest("One of the specified inputs is invalid")
	}
	return v, err
}

// readItemToWrite is the item of a document that the request is to write, of the partition key that is returned with it.
func readItemToWrite(c *operation.Call, v doc.Value) (*engine.Item, doc.PartitionKey, *wire.Error) {
	key, err := c.KeyOf(v)
	if err != nil {
		return nil, nil, err
	}
	def := c.Container.Definition.Load()
	made, err := engine.NewItem(def, v)
	if err != nil {
		return nil, nil, err
	}
	return made, key, applyIndexingDirective(c, made, def.Indexing)
}

// applyIndexingDirective does what x-ms-indexing-directive says: an item that is not to be indexed is not charged for it. Queries find it all
// the same; on the service, those that go by an index alone may not.
func applyIndexingDirective(c *operation.Call, made *engine.Item, x *index.Policy) *wire.Error {
	switch directive := c.Header("X-Ms-Indexing-Directive"); {
	case strings.EqualFold(directive, "Exclude"), !x.Automatic && !strings.EqualFold(directive, "Include"):
		made.Indexing = 0
	case directive != "" && !wire.OneOf(directive, "Default", "Include"):
		return wire.InvalidInput("The indexing directive %q is none of Default, Include and Exclude.", directive)
	}
	return nil
}

// replyWritten answers a write of an item.
func replyWritten(c *operation.Call, status int, t *engine.Transaction, i *engine.Item) {
	c.SetItemHeaders(i, t.LSN)
	c.ReplyItem(status, i)
}
