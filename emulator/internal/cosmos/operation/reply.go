package operation

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplyItem replies with an item, or with its ETag alone if the client wants no body.
func (r *Run) ReplyItem(status int, i *engine.Item, encoding Encoding) {
	r.Out.Status, r.Out.ETag = status, i.ETag.ETag()
	if !encoding.OmitBody {
		r.Out.Body = r.itemBody(i, encoding)
	}
}

// itemBody returns the item in the encoding that the client asked for.
func (r *Run) itemBody(i *engine.Item, encoding Encoding) []byte {
	text := r.Container.AppendJSON(slices.Grow(r.Buffers.Out[:0], len(i.Body)+256), i)
	r.Buffers.Out = text
	if !encoding.ExcludeSystemProperties && !encoding.Binary {
		return text
	}
	v, err := doc.Parse(text)
	if err != nil {
		return text
	}
	if encoding.ExcludeSystemProperties {
		v = v.Without("_self").Without("_attachments")
	}
	return encoding.Encode(v)
}

// ToBinary converts the body of the response from text to binary JSON.
func (r *Run) ToBinary() *wire.Error {
	v, err := doc.Parse(r.Out.Body)
	if err != nil {
		return r.Internal(err)
	}
	r.Out.Body = doc.AppendBinary(nil, v)
	return nil
}

// SetPartitionHeaders sets the headers that describe a container's partition: the session token, the partition key
// range, and the container.
func (r *Run) SetPartitionHeaders(epk doc.EPK, lsn uint64) {
	within := r.Container.RangeOf(epk)
	r.Out.Set("x-ms-session-token", sessionToken(within, lsn))
	r.Out.Set("x-ms-documentdb-partitionkeyrangeid", within.ID)
	r.Out.Set("lsn", strconv.FormatUint(lsn, 10))
	r.Out.Set(wire.HeaderAltContentPath, r.Container.AltContentPath())
	r.Out.Set(wire.HeaderContentPath, r.Container.RID)
}

// SetItemHeaders is SetPartitionHeaders for a response about one item.
func (r *Run) SetItemHeaders(i *engine.Item, lsn uint64) {
	r.SetPartitionHeaders(i.EPK, lsn)
	r.Out.Set("x-ms-item-lsn", strconv.FormatUint(i.LSN, 10))
}

// Reply replies with a resource.
func (r *Run) Reply(status int, v doc.Value) {
	r.Out.Status, r.Out.Body = status, doc.Append(nil, v)
	r.Out.ETag = v.Field("_etag").Str()
}

// ReplyNothing replies without a body.
func (r *Run) ReplyNothing(status int) { r.Out.Status, r.Out.Body = status, nil }

// ReplyFeed replies with a page of resources. The envelope is the name of the list, such as Databases.
func (r *Run) ReplyFeed(listName, parentRID string, resources []doc.Value) {
	r.Out.Status = http.StatusOK
	r.Out.Body = doc.Append(nil, doc.Object(
		doc.Member{Name: "_rid", Value: doc.String(parentRID)},
		doc.Member{Name: listName, Value: doc.Array(resources...)},
		doc.Member{Name: "_count", Value: doc.Number(float64(len(resources)))},
	))
	r.Out.Set("x-ms-item-count", strconv.Itoa(len(resources)))
}

// A session token states the LSN that a partition has reached: the id of its partition key range, a version, which is
// always -1 here, and the LSN, as in 0:-1#12. Commas separate several tokens.

// sessionToken returns the session token of a physical partition at an LSN.
func sessionToken(r engine.PartitionKeyRange, lsn uint64) string {
	return r.ID + ":-1#" + strconv.FormatUint(lsn, 10)
}
