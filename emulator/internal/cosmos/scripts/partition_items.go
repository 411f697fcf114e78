package scripts

import (
	"encoding/base64"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// partitionItems is the script.Collection of a transaction: the items of its logical partition.
type partitionItems struct {
	r      *operation.Run
	t      *engine.Transaction
	index  *index.Index          // for stored
	stored *engine.PartitionRIDs // nil: the script has not read a page yet

	bytes int // of the items that the script read by their ids or wrote, which the transaction holds until it ends
}

// maxScriptChanges is the number of items that a script may touch before its operations are no longer accepted.
const maxScriptChanges = 20_000

// maxScriptBytes is the size of the items that a script may read by their ids and write, in bytes. Beyond it operations
// are not accepted, and those that are queued fail. The limit is the emulator's own: the service's are not documented.
const maxScriptBytes = 64 << 20

// SelfLink implements script.Collection.
func (p *partitionItems) SelfLink() string { return p.t.Container.SelfLink() }

// AltLink implements script.Collection.
func (p *partitionItems) AltLink() string { return p.t.Container.Path() }

// Quota implements script.Collection.
func (p *partitionItems) Quota() (most, used string) {
	return engine.ResourceQuota, p.t.Container.ResourceUsage()
}

// Accepts implements script.Collection.
func (p *partitionItems) Accepts() bool {
	return len(p.t.Changes) < maxScriptChanges && p.checkBytes() == nil
}

// checkBytes fails if the transaction holds more than a script may take.
func (p *partitionItems) checkBytes() *wire.Error {
	if p.bytes > maxScriptBytes {
		return wire.TooLarge()
	}
	return nil
}

// NewID implements script.Collection.
func (p *partitionItems) NewID() string { return p.r.Account.Random.GUID().String() }

// scriptStatus converts an error for a script. Internal errors are passed through; they fail the request, and the
// script cannot catch them.
func scriptStatus(err *wire.Error) error {
	switch {
	case err == nil:
		return nil
	case err.Status >= http.StatusInternalServerError:
		return err
	}
	return &script.StatusError{Status: err.Status, Message: wire.ErrorsText(err.Message)}
}

// item returns the item for a document that the script writes. It must belong to the script's partition.
func (p *partitionItems) item(body doc.Value) (*engine.Item, *wire.Error) {
	if body.Kind() != doc.Map {
		return nil, wire.BadRequest("The document body must be an object or a string representing a JSON-serialized object.")
	}
	item, err := p.t.NewItem(body)
	if err == nil {
		p.bytes += item.Size()
		err = p.checkBytes()
	}
	return item, err
}

// writtenValue returns a written item as the script sees it.
func (p *partitionItems) writtenValue(i *engine.Item, err *wire.Error) (doc.Value, error) {
	if err == nil {
		err = p.t.AssignRID(i)
	}
	if err != nil {
		return doc.Value{}, scriptStatus(err)
	}
	return p.t.Container.Value(i)
}

// Create implements script.Collection.
func (p *partitionItems) Create(body doc.Value, _ script.Options) (doc.Value, error) {
	item, err := p.item(body)
	if err == nil {
		err = p.t.Create(item)
	}
	return p.writtenValue(item, err)
}

// Upsert implements script.Collection.
func (p *partitionItems) Upsert(body doc.Value, o script.Options) (doc.Value, error) {
	item, err := p.item(body)
	if err == nil {
		_, err = p.t.Upsert(item, engine.Conditions{Match: o.Etag})
	}
	return p.writtenValue(item, err)
}

// Read implements script.Collection.
func (p *partitionItems) Read(target script.Target, o script.Options) (doc.Value, error) {
	i, err := p.target(target)
	if err != nil {
		return doc.Value{}, scriptStatus(err)
	}
	p.t.Charge += throughput.ChargeRead(i.Size())
	if o.IfNoneMatch == i.ETag.ETag() || o.IfNoneMatch == "*" {
		return doc.Value{}, nil
	}
	return p.t.Container.Value(i)
}

// Replace implements script.Collection.
func (p *partitionItems) Replace(target script.Target, body doc.Value, o script.Options) (doc.Value, error) {
	old, err := p.target(target)
	if err != nil {
		return doc.Value{}, scriptStatus(err)
	}
	item, err := p.item(body)
	if err == nil {
		_, err = p.t.Replace(old.ID, item, engine.Conditions{Match: o.Etag})
	}
	return p.writtenValue(item, err)
}

// Delete implements script.Collection.
func (p *partitionItems) Delete(target script.Target, o script.Options) error {
	old, err := p.target(target)
	if err == nil {
		_, err = p.t.Delete(old.ID, engine.Conditions{Match: o.Etag})
	}
	return scriptStatus(err)
}

// target returns the item that an operation addresses.
func (p *partitionItems) target(target script.Target) (*engine.Item, *wire.Error) {
	if err := p.checkBytes(); err != nil {
		return nil, err
	}
	known := len(p.t.Changes)
	i, err := p.find(target)
	if err == nil && len(p.t.Changes) > known {
		p.bytes += i.Size()
	}
	return i, err
}

func (p *partitionItems) find(target script.Target) (*engine.Item, *wire.Error) {
	if target.RID == "" {
		return p.t.ReadExisting(target.ID, engine.Conditions{})
	}
	number, ok := p.t.Container.ParseItemRID(target.RID)
	if !ok {
		return nil, wire.NotFound(target.RID)
	}
	for _, change := range p.t.Changes {
		if change.New != nil && change.New.RID == number {
			return change.New, nil
		}
	}
	value, ok, err := p.t.Tx.Get(p.t.Container.ItemKey(number))
	if err != nil || !ok {
		return nil, p.r.Account.Internal(wire.FirstError(err, wire.NotFound(target.RID)))
	}
	stored, err := engine.ReadItem(number, value)
	if err != nil {
		return nil, p.r.Account.Internal(err)
	}
	i, own := p.t.Read(stored.ID)
	if own == nil && (i == nil || i.RID != number) { // the item is in another partition, or was deleted
		own = wire.NotFound(target.RID)
	}
	return i, own
}

// List implements script.Collection.
func (p *partitionItems) List(f script.Feed) ([]doc.Value, string, error) {
	after, err := base64.RawURLEncoding.DecodeString(f.Continuation)
	if err != nil || len(after) != 0 && len(after) != 8 {
		return nil, "", scriptStatus(wire.InvalidContinuation())
	}
	s := p.source(after)
	var rows []doc.Value
	for size := 0; ; {
		v, at, ok, err := s.Next(p.r.Ctx)
		if err != nil {
			return nil, "", err
		}
		full := f.PageSize >= 0 && len(rows) >= f.PageSize || size >= operation.MaxResponseBytes
		if !ok || full {
			p.t.Charge += throughput.ChargeRead(size)
		}
		switch {
		case !ok, full && len(rows) == 0:
			return rows, "", nil
		case full:
			return rows, base64.RawURLEncoding.EncodeToString(after), nil
		}
		rows, after = append(rows, v), at
		size += len(doc.Append(nil, v))
	}
}

// queryLimits returns the limits of a query, which ends at the script's time limit.
func (p *partitionItems) queryLimits(f script.Feed) budget.Limits {
	limits := p.r.QueryLimits()
	limits.Time = min(limits.Time, f.Time)
	return limits
}

// Query implements script.Collection.
func (p *partitionItems) Query(body doc.Value, f script.Feed) ([]doc.Value, string, error) {
	spec, queryErr := query.ParseQuery(body)
	if queryErr != nil {
		return nil, "", scriptStatus(queryErr)
	}
	q := &query.DocumentQuery{Run: p.r, Spec: spec, Def: p.t.Definition}
	defer q.Close()
	if queryErr := q.Compile(); queryErr != nil {
		return nil, "", scriptStatus(queryErr)
	}
	if queryErr := q.CheckOrder(); queryErr != nil {
		return nil, "", scriptStatus(queryErr)
	}
	var resume *sql.State
	var after []byte
	if f.Continuation != "" {
		state, err := base64.RawURLEncoding.DecodeString(f.Continuation)
		if err == nil {
			resume, err = sql.ParseState(state)
		}
		if err != nil {
			return nil, "", scriptStatus(wire.InvalidContinuation())
		}
		after = resume.ResumeAfter
	}
	work := budget.New(p.r.Ctx, p.queryLimits(f))
	defer work.Close()
	page, err := q.Program.Run(p.r.Ctx, p.source(after), resume, sql.Options{Rows: max(0, f.PageSize),
		Bytes: operation.MaxResponseBytes, Budget: work})
	if err != nil {
		return nil, "", scriptStatus(q.RunError(err))
	}
	p.t.Charge += throughput.ChargeQuery(throughput.QueryReads{Documents: page.Documents,
		Output: len(doc.Append(nil, doc.Array(page.Rows...)))})
	if page.State == nil {
		return page.Rows, "", nil
	}
	return page.Rows, base64.RawURLEncoding.EncodeToString(page.State.Append(nil)), nil
}
