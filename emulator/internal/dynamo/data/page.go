package data

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxPage is the size in bytes at which a page ends: the item that reaches it is the last one.
const maxPage = 1 << 20

// page is the answer of a Query or a Scan. Its items are written as JSON while they are read, from the store's own
// memory.
type page struct {
	request *readRequest
	source  *source
	fetch   bool // items are completed from the table
	work    *budget.Budget

	items   *[]byte // each after a comma; from pageBuffers
	Count   int     // items that passed the filter
	scanned int     // items read
	Last    []byte  // the LastEvaluatedKey; nil at the end

	size    int     // bytes of the items; the page ends when it reaches maxPage
	entries int     // bytes read from the table or the index
	fetched float64 // read units of fetching from the table
	units   float64 // read units of the fetches from the table
}

// pageBuffers hold the items of pages until the answer is written.
var pageBuffers = poison.Pool{New: func() any { return new([]byte) }}

// Read reads a page.
func (in *readRequest) Read(a *engine.Request, s *source, within span, backward bool) (*page, error) {
	p := &page{request: in, source: s, fetch: in.fetches(s), work: a.Budget(), items: pageBuffers.Get().(*[]byte)}
	moment := a.Engine.PendingWrites.Pin(replicaOf(a, s, in.ConsistentRead.V))
	defer moment.Release()
	err := a.Engine.Store.View(func(r *store.Reader) error {
		view := moment.View(r)
		it := view.Iter(within.lo, within.hi, backward)
		err := p.fill(&view, &it)
		return errors.Join(err, it.Close(), s.table.CheckCurrent())
	})
	if err == nil {
		err = p.charge(a, within)
	}
	if err != nil {
		p.Release()
		return nil, err
	}
	return p, nil
}

// charge charges for everything that was read. The key of the charge is where the span begins.
func (p *page) charge(a *engine.Request, within span) error {
	p.units = engine.ReadUnitsFor(p.entries, p.request.ConsistentRead.V)
	if err := a.ChargeRead(p.source.table, p.source.index, p.units, within.lo, p.source.scan); err != nil {
		return err
	}
	if p.source.index == nil {
		return nil
	}
	return a.ChargeRead(p.source.table, nil, p.fetched, within.lo, p.source.scan)
}

// fill reads until the page is full or nothing is left.
func (p *page) fill(r *lag.View, it *lag.Iter) error {
	limit := int(p.request.Limit.V)
	for it.Next() {
		entry := item.Value(it.Value())
		if err := p.add(r, entry); err != nil {
			return err
		}
		if p.scanned == limit || p.size >= maxPage || p.work.Steps() > engine.PageSteps {
			p.Last = p.source.appendLastKey(nil, entry)
			return nil
		}
	}
	return nil
}

// add adds an item, or its entry in an index, to the page.
func (p *page) add(r *lag.View, entry item.Value) error {
	size := entry.ItemSize()
	if err := p.work.Step(1 + len(entry)/engine.ItemBytesPerStep); err != nil {
		return err
	}
	p.scanned++
	p.entries += size
	if p.fetch {
		var err error
		if entry, size, err = p.complete(r, entry); err != nil {
			return err
		}
	}
	p.size += size
	met, err := p.request.filter.Match(entry, p.work)
	if !met || err != nil {
		return err
	}
	p.Count++
	if p.request.Select.V != "COUNT" {
		return p.take(entry)
	}
	return nil
}

// take writes the requested attributes of an item.
func (p *page) take(entry item.Value) error {
	chosen, err := p.request.project(entry, p.work)
	if err != nil {
		return err
	}
	before := len(*p.items)
	*p.items = chosen.AppendItem(append(*p.items, ','))
	return p.work.Grow(engine.ResponseCopies * (len(*p.items) - before))
}

// complete fetches the item of an index's entry from the table. Each fetch costs as much as a read of that item alone.
func (p *page) complete(r *lag.View, entry item.Value) (item.Value, int, error) {
	value, ok, err := r.Get(p.source.table.Key(entry))
	if err != nil {
		return nil, 0, err
	}
	if !ok { // deleted by a write that was in progress when recording for stale reads began
		value = entry
	}
	size := engine.SizeOf(value)
	p.fetched += engine.ReadUnitsFor(size, p.request.ConsistentRead.V)
	return value, size, nil
}

func (p *page) AppendJSON(dst []byte) []byte {
	dst = wire.AppendCount(append(dst, `{"Count":`...), p.Count)
	dst = wire.AppendCount(append(dst, `,"ScannedCount":`...), p.scanned)
	if p.request.Select.V != "COUNT" {
		dst = append(dst, `,"Items":[`...)
		if len(*p.items) > 0 {
			dst = append(dst, (*p.items)[1:]...)
		}
		dst = append(dst, ']')
	}
	p.Release()
	if p.Last != nil {
		dst = append(append(dst, `,"LastEvaluatedKey":`...), p.Last...)
	}
	if mode := p.request.ReturnConsumedCapacity.V; charged(mode) {
		dst = p.consumed().AppendJSON(append(dst, `,"ConsumedCapacity":`...), mode)
	}
	return append(dst, '}')
}

// Release returns the items' buffer to the pool, unless it is much larger than a page usually needs.
func (p *page) Release() {
	poison.Bytes(*p.items)
	if cap(*p.items) <= 4*maxPage {
		*p.items = (*p.items)[:0]
		pageBuffers.Put(p.items)
	}
	p.items = nil
}

// consumed returns the cost of the page. All items read count, whether or not they passed the filter, and the sum is
// rounded once.
func (p *page) consumed() *engine.ConsumedCapacity {
	c := &engine.ConsumedCapacity{TableName: p.request.TableName.V}
	if p.source.index == nil {
		c.Table = p.units
		return c
	}
	c.Table = p.fetched
	c.AddIndex(p.source.index, p.units)
	return c
}
