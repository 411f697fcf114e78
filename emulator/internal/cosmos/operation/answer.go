package operation

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplyItem answers an item, or where the client wants none, its etag alone.
func (r *Run) ReplyItem(status int, i *engine.Item, as Encoding) {
	r.Out.Status, r.Out.ETag = status, i.ETag.ETag()
	if !as.Omit {
		r.Out.Body = r.itemBody(i, as)
	}
}

// itemBody is an item as the client wants it.
func (r *Run) itemBody(i *engine.Item, as Encoding) []byte {
	text := r.Container.AppendJSON(slices.Grow(r.Buffers.Out[:0], len(i.Body)+256), i)
	r.Buffers.Out = text
	if !as.Lean && !as.Binary {
		return text
	}
	v, err := doc.Parse(text)
	if err != nil {
		return text
	}
	if as.Lean {
		v = v.Without("_self").Without("_attachments")
	}
	return as.Encode(v)
}

// ToBinary puts an answer's body, which is text, into binary form.
func (r *Run) ToBinary() *wire.Error {
	v, err := doc.Parse(r.Out.Body)
	if err != nil {
		return r.Internal(err)
	}
	r.Out.Body = doc.AppendBinary(nil, v)
	return nil
}

// SetPartitionHeaders adds what the answers of a container's partition have: its session token, its range, and whose it
// is.
func (r *Run) SetPartitionHeaders(epk doc.EPK, lsn uint64) {
	within := r.Container.RangeOf(epk)
	r.Out.Set("x-ms-session-token", sessionToken(within, lsn))
	r.Out.Set("x-ms-documentdb-partitionkeyrangeid", within.ID)
	r.Out.Set("lsn", strconv.FormatUint(lsn, 10))
	r.Out.Set("x-ms-alt-content-path", r.Container.Path())
	r.Out.Set(wire.HeaderOwner, r.Container.RID)
}

// SetItemHeaders is stamp for an item that the answer is about.
func (r *Run) SetItemHeaders(i *engine.Item, lsn uint64) {
	r.SetPartitionHeaders(i.EPK, lsn)
	r.Out.Set("x-ms-item-lsn", strconv.FormatUint(i.LSN, 10))
}

// Reply answers a resource.
func (r *Run) Reply(status int, v doc.Value) {
	r.Out.Status, r.Out.Body = status, doc.Append(nil, v)
	r.Out.ETag = v.Field("_etag").Str()
}

// ReplyNothing answers without a body.
func (r *Run) ReplyNothing(status int) { r.Out.Status, r.Out.Body = status, nil }

// ReplyFeed answers a page of resources: the envelope is what the service calls them, such as Databases.
func (r *Run) ReplyFeed(envelope, owner string, resources []doc.Value) {
	r.Out.Status = http.StatusOK
	r.Out.Body = doc.Append(nil, doc.Object(
		doc.Member{Name: "_rid", Value: doc.String(owner)},
		doc.Member{Name: envelope, Value: doc.Array(resources...)},
		doc.Member{Name: "_count", Value: doc.Number(float64(len(resources)))},
	))
	r.Out.Set("x-ms-item-count", strconv.Itoa(len(resources)))
}

// A session token says how far a partition has come: its range's id, a version that no partition of ours has (-1), and
// an LSN, as 0:-1#12. Several are joined by commas.

// sessionToken is the token of a physical partition at an LSN.
func sessionToken(r engine.KeyRange, lsn uint64) string {
	return r.ID + ":-1#" + strconv.FormatUint(lsn, 10)
}
