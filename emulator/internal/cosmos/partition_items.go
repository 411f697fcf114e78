package cosmos

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// partitionItems is what scripts work on: the items of a logical partition in a transaction. It is a script.Collection.
type partitionItems struct {
	c *call
	t *transaction
}

// maxScriptChanges is how many items a script may touch before nothing more is accepted.
const maxScriptChanges = 20_000

// SelfLink implements script.Collection.
func (p *partitionItems) SelfLink() string { return p.t.container.link() }

// AltLink implements script.Collection.
func (p *partitionItems) AltLink() string { return p.t.container.path() }

// Quota implements script.Collection.
func (p *partitionItems) Quota() (most, used string) { return quota, p.t.container.usage() }

// Accepts implements script.Collection.
func (p *partitionItems) Accepts() bool { return len(p.t.changes) < maxScriptChanges }

// NewID implements script.Collection.
func (p *partitionItems) NewID() string { return p.c.account.random.GUID().String() }

// scriptStatus is an error as a script gets it: what is the emulator's own fault is none of its business.
func scriptStatus(err *Error) error {
	switch {
	case err == nil:
		return nil
	case err.Status >= http.StatusInternalServerError:
		return err
	}
	return &script.StatusError{Status: err.Status, Message: errorsText(err.Message)}
}

// item is the item of a document that the script writes: it has to be of the script's partition.
func (p *partitionItems) item(body doc.Value) (*item, *Error) {
	if body.Kind() != doc.Map {
		return nil, badRequest("The document body must be an object or a string representing a JSON-serialized object.")
	}
	return p.t.item(body)
}

// item is the item of a document that is to be written in the transaction.
func (t *transaction) item(body doc.Value) (*item, *Error) {
	key, err := t.definition.key.Of(body)
	if err != nil {
		return nil, badRequest("%s", err)
	}
	if !key.Equal(t.key) {
		return nil, badRequest("Requests originating from scripts cannot reference partition keys other than the one for which client request was submitted.")
	}
	return newItem(t.definition, body)
}

// written is an item that was put, as the script sees it.
func (p *partitionItems) written(i *item, err *Error) (doc.Value, error) {
	if err == nil {
		err = p.t.number(i)
	}
	if err != nil {
		return doc.Value{}, scriptStatus(err)
	}
	return p.t.container.value(i)
}

// number gives an item that is new its number before the commit: scripts go by resource ids. No latch is held while they run,
// so numbers can be had for as many as there are.
func (t *transaction) number(i *item) *Error {
	if i.rid != 0 {
		return nil
	}
	if err := t.container.sequence.reserve(); err != nil {
		return t.container.state.internal(err)
	}
	_, rid, err := t.container.sequence.take(0, 1, nil)
	if err != nil {
		return t.container.state.internal(err)
	}
	i.rid = rid
	return nil
}

// Create implements script.Collection.
func (p *partitionItems) Create(body doc.Value, _ script.Options) (doc.Value, error) {
	made, err := p.item(body)
	if err == nil {
		err = p.t.create(made)
	}
	return p.written(made, err)
}

// Upsert implements script.Collection.
func (p *partitionItems) Upsert(body doc.Value, o script.Options) (doc.Value, error) {
	made, err := p.item(body)
	if err == nil {
		_, err = p.t.upsert(made, conditions{match: o.Etag})
	}
	return p.written(made, err)
}

// Read implements script.Collection.
func (p *partitionItems) Read(target script.Target, o script.Options) (doc.Value, error) {
	i, err := p.target(target)
	if err != nil {
		return doc.Value{}, scriptStatus(err)
	}
	p.t.charge += chargeRead(i.size())
	if o.IfNoneMatch == i.etag.ETag() || o.IfNoneMatch == "*" {
		return doc.Value{}, nil
	}
	return p.t.container.value(i)
}

// Replace implements script.Collection.
func (p *partitionItems) Replace(target script.Target, body doc.Value, o script.Options) (doc.Value, error) {
	old, err := p.target(target)
	if err != nil {
		return doc.Value{}, scriptStatus(err)
	}
	made, err := p.item(body)
	if err == nil {
		_, err = p.t.replace(old.id, made, conditions{match: o.Etag})
	}
	return p.written(made, err)
}

// Delete implements script.Collection.
func (p *partitionItems) Delete(target script.Target, o script.Options) error {
	old, err := p.target(target)
	if err == nil {
		_, err = p.t.delete(old.id, conditions{match: o.Etag})
	}
	return scriptStatus(err)
}

// target is the item that an operation is about.
func (p *partitionItems) target(target script.Target) (*item, *Error) {
	if target.RID == "" {
		return p.t.existing(target.ID, conditions{})
	}
	number, ok := p.t.container.itemNumber(target.RID)
	if !ok {
		return nil, notFound(target.RID)
	}
	for _, one := range p.t.changes {
		if one.new != nil && one.new.rid == number {
			return one.new, nil
		}
	}
	value, ok, err := p.t.tx.Get(p.t.container.itemKey(number))
	if err != nil || !ok {
		return nil, p.c.account.internal(firstError(err, notFound(target.RID)))
	}
	stored, err := readItem(number, value)
	if err != nil {
		return nil, p.c.account.internal(err)
	}
	i, own := p.t.read(stored.id)
	if own == nil && (i == nil || i.rid != number) { // it is of another partition, or was deleted
		own = notFound(target.RID)
	}
	return i, own
}

// entry is an item of the partition by its number.
type entry struct {
	rid uint64
	id  string
}

// entries are the items of the partition as the transaction sees them, in the order of their creation.
func (t *transaction) entries() ([]entry, error) {
	var all []entry
	it := t.tx.Iter(t.prefix, store.PrefixEnd(t.prefix), false)
	defer it.Close()
	for it.Next() {
		id := string(it.Key()[len(t.prefix):])
		if one := t.byID[id]; one == nil || !one.dirty {
			all = append(all, entry{binary.BigEndian.Uint64(it.Value()), id})
		}
	}
	for _, one := range t.changes {
		if one.dirty && one.new != nil {
			all = append(all, entry{one.new.rid, one.id})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.rid, b.rid) })
	return all, it.Close()
}

// partitionSource reads the items of the partition for a query. Its position is their number.
type partitionSource struct {
	t    *transaction
	rest []entry
}

func (t *transaction) source(behind []byte) (*partitionSource, error) {
	all, err := t.entries()
	if len(behind) == 8 {
		last := binary.BigEndian.Uint64(behind)
		all = all[sortedAfter(all, last):]
	}
	return &partitionSource{t, all}, err
}

func sortedAfter(all []entry, last uint64) int {
	at, _ := slices.BinarySearchFunc(all, last, func(e entry, n uint64) int {
		if e.rid <= n {
			return -1
		}
		return 1
	})
	return at
}

// Next implements sql.Source.
func (s *partitionSource) Next(ctx context.Context) (v doc.Value, at []byte, ok bool, err error) {
	for len(s.rest) > 0 && ctx.Err() == nil {
		next := s.rest[0]
		s.rest = s.rest[1:]
		i, err := s.read(next)
		if err != nil {
			return v, nil, false, err
		}
		if i != nil {
			v, err := s.t.container.value(i)
			return v, binary.BigEndian.AppendUint64(nil, next.rid), err == nil, err
		}
	}
	return v, nil, false, ctx.Err()
}

// read is an item, without keeping it among the transaction's changes as transaction.read does; nil: its life is over.
func (s *partitionSource) read(e entry) (*item, error) {
	if one := s.t.byID[e.id]; one != nil {
		return one.new, nil
	}
	value, ok, err := s.t.tx.Get(s.t.container.itemKey(e.rid))
	if err != nil || !ok {
		return nil, err
	}
	i, err := readItem(e.rid, value)
	if err != nil || i.expired(s.t.definition.defaultTTL, s.t.now) {
		return nil, err
	}
	return i, nil
}

// List implements script.Collection.
func (p *partitionItems) List(f script.Feed) ([]doc.Value, string, error) {
	behind, err := base64.RawURLEncoding.DecodeString(f.Continuation)
	if err != nil || len(behind) != 0 && len(behind) != 8 {
		return nil, "", scriptStatus(invalidContinuation())
	}
	s, err := p.t.source(behind)
	if err != nil {
		return nil, "", err
	}
	var rows []doc.Value
	size := 0
	for len(s.rest) > 0 && (f.PageSize < 0 || len(rows) < f.PageSize) && size < maxAnswer {
		v, at, ok, err := s.Next(p.c.ctx)
		if err != nil {
			return nil, "", err
		}
		if ok {
			rows, behind = append(rows, v), at
			size += len(doc.Append(nil, v))
		}
	}
	p.t.charge += chargeRead(size)
	if len(s.rest) == 0 || len(rows) == 0 {
		return rows, "", nil
	}
	return rows, base64.RawURLEncoding.EncodeToString(behind), nil
}

// Query implements script.Collection.
func (p *partitionItems) Query(body doc.Value, f script.Feed) ([]doc.Value, string, error) {
	spec, problem := parseQuery(body)
	if problem != nil {
		return nil, "", scriptStatus(problem)
	}
	q := &documentQuery{call: p.c, spec: spec, def: p.t.definition}
	defer q.close()
	if problem := q.compile(); problem != nil {
		return nil, "", scriptStatus(problem)
	}
	if problem := q.checkOrder(); problem != nil {
		return nil, "", scriptStatus(problem)
	}
	var resume *sql.State
	var behind []byte
	if f.Continuation != "" {
		state, err := base64.RawURLEncoding.DecodeString(f.Continuation)
		if err == nil {
			resume, err = sql.ParseState(state)
		}
		if err != nil {
			return nil, "", scriptStatus(invalidContinuation())
		}
		behind = resume.Behind
	}
	s, err := p.t.source(behind)
	if err != nil {
		return nil, "", err
	}
	work := budget.New(p.c.ctx, p.c.queryLimits())
	defer work.Close()
	page, err := q.program.Run(p.c.ctx, s, resume, sql.Options{Rows: max(0, f.PageSize), Bytes: maxAnswer, Budget: work})
	if err != nil {
		return nil, "", scriptStatus(q.runError(err))
	}
	p.t.charge += chargeQuery(queryReads{documents: page.Documents, output: len(doc.Append(nil, doc.Array(page.Rows...)))})
	if page.State == nil {
		return page.Rows, "", nil
	}
	return page.Rows, base64.RawURLEncoding.EncodeToString(page.State.Append(nil)), nil
}
