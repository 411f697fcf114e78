package cosmos

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxItem is the size in bytes of the largest item, as JSON ("Azure Cosmos DB service quotas", per-item limits).
const maxItem = 2 << 20

// usualItem is the size in bytes of which items seldom are larger: the kilobyte that is charged for, and some more.
const usualItem = kilobyte + kilobyte/4

// headerKey is the partition key of the request's header. A key that is empty is that of items without one.
func (c *call) headerKey() (doc.PartitionKey, *Error) {
	text := c.header("X-Ms-Documentdb-Partitionkey")
	if text == "" {
		return nil, nil
	}
	key, err := doc.ParsePartitionKeyHeader(text)
	if err != nil {
		return nil, badRequest("Partition key %s is invalid.", text)
	}
	return key, nil
}

// partitionKey is the partition key of the request's header, which has to be there with all its levels.
func (c *call) partitionKey() (doc.PartitionKey, *Error) {
	key, err := c.headerKey()
	if err != nil {
		return nil, err
	}
	return c.completeKey(key)
}

// completeKey is a key that a request names, which has to have all its levels. Where the container was made without a partition key,
// no level at all is the key of everything.
func (c *call) completeKey(key doc.PartitionKey) (doc.PartitionKey, *Error) {
	def := c.container.definition.Load()
	paths := len(def.key.Paths)
	switch {
	case len(key) == 0 && def.key.SystemKey: // clients older than these containers' keys send no header
		return make(doc.PartitionKey, paths), nil
	case len(key) < paths:
		return nil, shortKey(key)
	case len(key) > paths:
		return nil, keyMismatch()
	}
	return key, nil
}

// shortKey is a partition key with fewer levels than the container's, or none: the words of the first are of azure-cosmos's
// test_batch_subpartition and the SDK for .NET's PartitionKeyDeleteTestForSubpartitionedContainer, those of the other were
// recorded from a live account in October 2026, of a create without the header.
func shortKey(key doc.PartitionKey) *Error {
	e := badRequest("The partition key supplied in x-ms-partitionkey header has fewer components than defined in the the collection.")
	if len(key) > 0 {
		e.Message = "Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document."
	}
	e.Substatus = substatusKeyMismatch
	return e
}

// keyOf is the partition key of an item that is to be written: its own, which the header must agree to.
func (c *call) keyOf(v doc.Value) (doc.PartitionKey, *Error) {
	def := c.container.definition.Load()
	own, problem := def.key.Of(v)
	if problem != nil {
		return nil, badRequest("%s", problem)
	}
	key, err := c.headerKey()
	switch {
	case err != nil:
		return nil, err
	case len(key) == 0 && def.key.SystemKey:
		return own, nil
	case len(key) < len(own):
		return nil, shortKey(key)
	case !key.Equal(own):
		return nil, keyMismatch()
	}
	return own, nil
}

// itemID is the id of the item that the path names. Where the path goes by resource ids, so does its last part.
func (c *call) itemID() string {
	id := c.route.id(2)
	if c.route.id(0) != c.database.rid || c.database.name == c.database.rid {
		return id
	}
	number, ok := c.container.itemNumber(id)
	if !ok {
		return id
	}
	i, err := c.container.itemOf(number)
	if err != nil || i == nil {
		return id
	}
	return i.id
}

// readDocumentBody is the request's body as the document of an item.
func (c *call) readDocumentBody() (doc.Value, *Error) {
	if len(c.body) > maxItem {
		return doc.Value{}, tooLarge()
	}
	v, err := c.json()
	if err == nil && v.Kind() != doc.Map {
		return v, badRequest("One of the specified inputs is invalid")
	}
	return v, err
}

// newItem is the item of a document that is to be written, of which the store knows nothing yet.
func newItem(def *definition, v doc.Value) (*item, *Error) {
	v = withoutSystem(v)
	id := v.Field("id")
	if err := checkItemID(id); err != nil {
		return nil, err
	}
	i := &item{id: id.Str()}
	var err *Error
	if i.ttl, err = parseTTL(v.Field("ttl")); err != nil {
		return nil, err // also where nothing expires (@azure/cosmos, bulk.item.spec.ts)
	}
	if i.body = doc.Append(make([]byte, 0, usualItem), v); len(i.body) > maxItem {
		return nil, tooLarge()
	}
	i.unique = def.uniqueEntries(v)
	i.indexing = def.indexing.indexCharge(v)
	return i, nil
}

// checkItemID checks an item's id. Any character may be in it: which of them cannot be addressed then is said at the gateways
// (CosmosItemIdEncodingTestsBase of the SDK for .NET and TestItemIdEncodingRoutingGW of azcosmos create such items).
func checkItemID(id doc.Value) *Error {
	text := id.Str()
	switch {
	case !id.Defined():
		return badRequest("The input content is invalid because the required properties - 'id; ' - are missing. Learn more: https://aka.ms/CosmosDB/sql/errors/missing-id")
	case id.Kind() != doc.Text:
		return badRequest("The input content is invalid because the id must be a non-empty string.")
	case text == "", len(text) > maxItemID:
		return invalidName(text, maxItemID+1)
	}
	return nil
}

// checkKeyValues checks the values of a partition key under which an item is to be written.
func checkKeyValues(key doc.PartitionKey) *Error {
	for _, v := range key {
		if n := len(v.Str()); n > maxKeyValue {
			return badRequest("A value of the partition key has %d bytes; it must not be longer than %d.", n, maxKeyValue)
		}
	}
	return nil
}

// replyItem answers an item, or where the client wants none, its etag alone. Of a nil item it answers nothing.
func (c *call) replyItem(status int, i *item) {
	c.out.status, c.out.etag = status, i.etag.ETag()
	if c.wantsBody() {
		c.out.body = c.itemBody(i)
	}
}

// wantsBody says whether the client wants the item that it wrote back.
func (c *call) wantsBody() bool {
	if c.method == http.MethodGet {
		return true
	}
	return !strings.EqualFold(c.header("Prefer"), "return=minimal") && !strings.EqualFold(c.header("X-Ms-Cosmos-Populate-Content-Response-On-Write"), "false")
}

// itemBody is an item as the client wants it: as text, or in binary form where it says so.
func (c *call) itemBody(i *item) []byte {
	text := c.container.appendJSON(slices.Grow(c.buffers.out[:0], len(i.body)+256), i)
	c.buffers.out = text
	lean := c.flag("X-Ms-Exclude-System-Properties")
	if !lean && !c.binary() {
		return text
	}
	v, err := doc.Parse(text)
	if err != nil {
		return text
	}
	if lean {
		v = v.Without("_self").Without("_attachments")
	}
	return c.encoded(v)
}

// encoded is an answer's body in the form that the client takes.
func (c *call) encoded(v doc.Value) []byte {
	if c.binary() {
		return doc.AppendBinary(nil, v)
	}
	return doc.Append(nil, v)
}

// toBinary puts an answer's body, which is text, into binary form.
func (c *call) toBinary() *Error {
	v, err := doc.Parse(c.out.body)
	if err != nil {
		return c.internal(err)
	}
	c.out.body = doc.AppendBinary(nil, v)
	return nil
}

// The forms of JSON that clients ask for.
const (
	formText   = "JsonText"
	formBinary = "CosmosBinary"
)

// binary says whether the client takes answers in Cosmos DB's binary form of JSON: the form that it asks for, or one of those
// that it says it knows.
func (c *call) binary() bool {
	if form := c.header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" {
		return strings.EqualFold(form, formBinary)
	}
	formats := c.header("X-Ms-Cosmos-Supported-Serialization-Formats")
	if formats == "" {
		return false
	}
	for format := range strings.SplitSeq(formats, ",") {
		if strings.EqualFold(strings.TrimSpace(format), formBinary) {
			return true
		}
	}
	return false
}

// checkForm refuses a form of JSON that there is not. Of those that a client only says it knows, unknown ones are passed over.
func (c *call) checkForm() *Error {
	if form := c.header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" && !oneOf(form, formText, formBinary) {
		return invalidInput("The serialization format %q is none of %s and %s.", form, formText, formBinary)
	}
	return nil
}

// setPartitionHeaders adds what the answers of a container's partition have: its session token, its range, and whose it is.
func (c *call) setPartitionHeaders(epk doc.EPK, lsn uint64) {
	r := c.container.rangeOf(epk)
	c.out.set("x-ms-session-token", sessionToken(r, lsn))
	c.out.set("x-ms-documentdb-partitionkeyrangeid", r.id)
	c.out.set("lsn", strconv.FormatUint(lsn, 10))
	c.out.set("x-ms-alt-content-path", c.container.path())
	c.out.set(headerOwner, c.container.rid)
}

// setItemHeaders is stamp for an item that the answer is about.
func (c *call) setItemHeaders(i *item, lsn uint64) {
	c.setPartitionHeaders(i.epk, lsn)
	c.out.set("x-ms-item-lsn", strconv.FormatUint(i.lsn, 10))
}
