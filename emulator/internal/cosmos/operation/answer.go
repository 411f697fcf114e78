package operation

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ItemID is the id of the item that the path names. Where the path goes by resource ids, so does its last part.
func (c *Call) ItemID() string {
	id := c.Route.ID(2)
	if c.Route.ID(0) != c.Database.RID || c.Database.Name == c.Database.RID {
		return id
	}
	number, ok := c.Container.ItemNumber(id)
	if !ok {
		return id
	}
	i, err := c.Container.ItemOf(number)
	if err != nil || i == nil {
		return id
	}
	return i.ID
}

// ReplyItem answers an item, or where the client wants none, its etag alone. Of a nil item it answers nothing.
func (c *Call) ReplyItem(status int, i *engine.Item) {
	c.Out.Status, c.Out.ETag = status, i.ETag.ETag()
	if c.WantsBody() {
		c.Out.Body = c.itemBody(i)
	}
}

// WantsBody says whether the client wants the item that it wrote back.
func (c *Call) WantsBody() bool {
	if c.Method == http.MethodGet {
		return true
	}
	return !strings.EqualFold(c.Header("Prefer"), "return=minimal") && !strings.EqualFold(c.Header("X-Ms-Cosmos-Populate-Content-Response-On-Write"), "false")
}

// itemBody is an item as the client wants it: as text, or in binary form where it says so.
func (c *Call) itemBody(i *engine.Item) []byte {
	text := c.Container.AppendJSON(slices.Grow(c.Buffers.Out[:0], len(i.Body)+256), i)
	c.Buffers.Out = text
	lean := c.Flag("X-Ms-Exclude-System-Properties")
	if !lean && !c.Binary() {
		return text
	}
	v, err := doc.Parse(text)
	if err != nil {
		return text
	}
	if lean {
		v = v.Without("_self").Without("_attachments")
	}
	return c.Encoded(v)
}

// Encoded is an answer's body in the form that the client takes.
func (c *Call) Encoded(v doc.Value) []byte {
	if c.Binary() {
		return doc.AppendBinary(nil, v)
	}
	return doc.Append(nil, v)
}

// ToBinary puts an answer's body, which is text, into binary form.
func (c *Call) ToBinary() *wire.Error {
	v, err := doc.Parse(c.Out.Body)
	if err != nil {
		return c.Internal(err)
	}
	c.Out.Body = doc.AppendBinary(nil, v)
	return nil
}

// Binary says whether the client takes answers in Cosmos DB's binary form of JSON: the form that it asks for, or one of those
// that it says it knows.
func (c *Call) Binary() bool {
	if form := c.Header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" {
		return strings.EqualFold(form, wire.FormBinary)
	}
	formats := c.Header("X-Ms-Cosmos-Supported-Serialization-Formats")
	if formats == "" {
		return false
	}
	for format := range strings.SplitSeq(formats, ",") {
		if strings.EqualFold(strings.TrimSpace(format), wire.FormBinary) {
			return true
		}
	}
	return false
}

// CheckForm refuses a form of JSON that there is not. Of those that a client only says it knows, unknown ones are passed over.
func (c *Call) CheckForm() *wire.Error {
	if form := c.Header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" && !wire.OneOf(form, wire.FormText, wire.FormBinary) {
		return wire.InvalidInput("The serialization format %q is none of %s and %s.", form, wire.FormText, wire.FormBinary)
	}
	return nil
}

// SetPartitionHeaders adds what the answers of a container's partition have: its session token, its range, and whose it is.
func (c *Call) SetPartitionHeaders(epk doc.EPK, lsn uint64) {
	r := c.Container.RangeOf(epk)
	c.Out.Set("x-ms-session-token", sessionToken(r, lsn))
	c.Out.Set("x-ms-documentdb-partitionkeyrangeid", r.ID)
	c.Out.Set("lsn", strconv.FormatUint(lsn, 10))
	c.Out.Set("x-ms-alt-content-path", c.Container.Path())
	c.Out.Set(wire.HeaderOwner, c.Container.RID)
}

// SetItemHeaders is stamp for an item that the answer is about.
func (c *Call) SetItemHeaders(i *engine.Item, lsn uint64) {
	c.SetPartitionHeaders(i.EPK, lsn)
	c.Out.Set("x-ms-item-lsn", strconv.FormatUint(i.LSN, 10))
}

// Reply answers a resource.
func (c *Call) Reply(status int, v doc.Value) {
	c.Out.Status, c.Out.Body = status, doc.Append(nil, v)
	c.Out.ETag = v.Field("_etag").Str()
}

// ReplyNothing answers without a body.
func (c *Call) ReplyNothing(status int) { c.Out.Status, c.Out.Body = status, nil }

// ReplyFeed answers a page of resources: the envelope is what the service calls them, such as Databases.
func (c *Call) ReplyFeed(envelope, owner string, resources []doc.Value) {
	c.Out.Status = http.StatusOK
	c.Out.Body = doc.Append(nil, doc.Object(
		doc.Member{Name: "_rid", Value: doc.String(owner)},
		doc.Member{Name: envelope, Value: doc.Array(resources...)},
		doc.Member{Name: "_count", Value: doc.Number(float64(len(resources)))},
	))
	c.Out.Set("x-ms-item-count", strconv.Itoa(len(resources)))
}

// A session token says how far a partition has come: its range's id, a version that no partition of ours has (-1), and an
// LSN, as 0:-1#12. Several are joined by commas.

// sessionToken is the token of a physical partition at an LSN.
func sessionToken(r engine.KeyRange, lsn uint64) string {
	return r.ID + ":-1#" + strconv.FormatUint(lsn, 10)
}
