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

// maxPageSize is the size in bytes at which a page ends: the item that reaches it is the last one.
const maxPageSize = 1 << 20

// page is the response of a Query or a Scan. Its items are written as JSON while they are read, from the store's own
// memory.
type page struct {
	request        *readRequest
	source         *source
	fetchFromTable bool // items are completed from the table
	hashed         bool // number sets are in DynamoDB's hash order
	budget         *budget.Budget
	limit          int // number of items to read; 0: as many as fit

	itemsJSON *[]byte    // each after a comma; from pageBuffers
	Count     int        // items that passed the filter
	scanned   int        // items read
	LastKey   []byte     // the LastEvaluatedKey; nil at the end
	projected item.Value // of the last item; the next one overwrites it

	itemBytes  int     // bytes of the items; the page ends when it reaches maxPageSize
	bytesRead  int     // bytes read from the table or the index
	fetchUnits float64 // read units of the fetches from the table
	units      float64 // read units of the entries
}

// pageBuffers hold the items of pages until the response is written.
var pageBuffers = poison.Pool{New: func() any { return new([]byte) }}

// newPage returns an empty page, of which a fault rule may allow only one item.
func newPage(req *engine.Request, in *readRequest, s *source) *page {
	p := &page{request: in, source: s, fetchFromTable: in.needsFetch(s), budget: req.Budget(), limit: int(in.Limit.V),
		hashed: s.scan, itemsJSON: pageBuffers.Get().(*[]byte)}
	if req.HasShortPage() {
		p.limit = 1
	}
	return p
}

// ReadPage reads a page.
func (in *readRequest) ReadPage(req *engine.Request, s *source, keys span, backward bool) (*page, error) {
	p := newPage(req, in, s)
	snapshot := req.Engine.PendingWrites.Pin(replicaFor(req, s, in.ConsistentRead.V))
	defer snapshot.Release()
	read := req.Engine.Store.ViewRange
	if p.fetchFromTable {
		read = req.Engine.Store.View
	}
	err := read(func(r *store.Reader) error {
		view := snapshot.View(r)
		it := view.Iter(keys.lo, keys.hi, backward)
		err := p.fill(&view, &it)
		return errors.Join(err, it.Close(), s.table.CheckCurrent())
	})
	if err == nil {
		err = p.charge(req, keys)
	}
	if err != nil {
		p.Release()
		return nil, err
	}
	return p, nil
}

// charge charges for everything that was read. The key of the charge is where the span begins.
func (p *page) charge(req *engine.Request, keys span) error {
	p.units = engine.ReadUnitsFor(p.bytesRead, p.request.ConsistentRead.V)
	if err := req.ChargeRead(p.source.table, p.source.index, p.scanned, p.units, keys.lo, p.source.scan); err != nil {
		return err
	}
	if p.source.index == nil {
		return nil
	}
	return req.ChargeRead(p.source.table, nil, p.scanned, p.fetchUnits, keys.lo, p.source.scan)
}

// fill reads until the page is full or nothing is left.
func (p *page) fill(r *lag.View, it *lag.Iter) error {
	for it.Next() {
		entry := item.Value(it.Value())
		if err := p.addEntry(r, entry); err != nil {
			return err
		}
		if p.scanned == p.limit || p.itemBytes >= maxPageSize || p.budget.Steps() > engine.PageSteps {
			p.LastKey = p.source.appendLastKey(nil, entry)
			return nil
		}
	}
	return nil
}

// addEntry adds an item, or its entry in an index, to the page.
func (p *page) addEntry(r *lag.View, entry item.Value) error {
	size := entry.ItemSize()
	if err := p.budget.Step(1 + len(entry)/engine.ItemBytesPerStep); err != nil {
		return err
	}
	p.scanned++
	p.bytesRead += size
	if p.fetchFromTable {
		var err error
		if entry, size, err = p.fetchItem(r, entry); err != nil {
			return err
		}
	}
	p.itemBytes += size
	met, err := p.request.filter.Match(entry, p.budget)
	if !met || err != nil {
		return err
	}
	p.Count++
	if p.request.Select.V != "COUNT" {
		return p.appendItem(entry)
	}
	return nil
}

// appendItem writes the requested attributes of an item.
func (p *page) appendItem(entry item.Value) error {
	projected, err := p.request.projectInto(&p.projected, entry, p.budget)
	if err != nil {
		return err
	}
	before := len(*p.itemsJSON)
	*p.itemsJSON = append(*p.itemsJSON, ',')
	if p.hashed {
		*p.itemsJSON = projected.AppendItemHashed(*p.itemsJSON)
	} else {
		*p.itemsJSON = projected.AppendItem(*p.itemsJSON)
	}
	return p.budget.Grow(engine.ResponseCopies * (len(*p.itemsJSON) - before))
}

// fetchItem fetches the item of an index's entry from the table. Each fetch costs as much as a read of that item alone.
func (p *page) fetchItem(r *lag.View, entry item.Value) (item.Value, int, error) {
	value, ok, err := r.Get(p.source.table.Key(entry))
	if err != nil {
		return nil, 0, err
	}
	if !ok { // deleted by a write that was in progress when recording for stale reads began
		value = entry
	}
	size := engine.SizeOf(value)
	p.fetchUnits += engine.ReadUnitsFor(size, p.request.ConsistentRead.V)
	return value, size, nil
}

func (p *page) AppendJSON(dst []byte) []byte {
	dst = wire.AppendCount(append(dst, `{"Count":`...), p.Count)
	dst = wire.AppendCount(append(dst, `,"ScannedCount":`...), p.scanned)
	if p.request.Select.V != "COUNT" {
		dst = append(dst, `,"Items":[`...)
		if len(*p.itemsJSON) > 0 {
			dst = append(dst, (*p.itemsJSON)[1:]...)
		}
		dst = append(dst, ']')
	}
	p.Release()
	if p.LastKey != nil {
		dst = append(append(dst, `,"LastEvaluatedKey":`...), p.LastKey...)
	}
	if mode := p.request.ReturnConsumedCapacity.V; wantsCapacity(mode) {
		dst = p.consumed().AppendJSON(append(dst, `,"ConsumedCapacity":`...), mode)
	}
	return append(dst, '}')
}

// Release returns the items' buffer to the pool, unless it is much larger than a page usually needs.
func (p *page) Release() {
	poison.Bytes(*p.itemsJSON)
	if cap(*p.itemsJSON) <= 4*maxPageSize {
		*p.itemsJSON = (*p.itemsJSON)[:0]
		pageBuffers.Put(p.itemsJSON)
	}
	p.itemsJSON = nil
}

// consumed returns the cost of the page. All items read count, whether or not they passed the filter, and the sum is
// rounded once.
func (p *page) consumed() *engine.ConsumedCapacity {
	c := &engine.ConsumedCapacity{TableName: p.request.TableName.Sent}
	if p.source.index == nil {
		c.Table = p.units
		return c
	}
	c.Table = p.fetchUnits
	c.AddIndex(p.source.index, p.units)
	return c
}
