package cosmos

import (
	"encoding/binary"
	"net/http"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/pieces"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// documentFeed is a page of items while it is made, and what it is made of: a part of the hash space.
type documentFeed struct {
	*call
	def  *definition
	now  int64 // in seconds since 1970
	span doc.EPKRange
	size int // items that the page takes; 0: as many as fit
	body []byte
	n    int
}

// newDocumentFeed begins a page for the request's headers.
func (c *call) newDocumentFeed() (*documentFeed, *Error) {
	asked, _, err := c.readRange()
	if err != nil {
		return nil, err
	}
	size, err := c.pageSize()
	if err != nil {
		return nil, err
	}
	if err := c.checkForm(); err != nil {
		return nil, err
	}
	if err := c.chooseReplica(); err != nil {
		return nil, err
	}
	var parts []*partition
	for _, p := range c.container.partitions() {
		if !doc.Meet(asked, p.EPKRange).Empty() {
			parts = append(parts, p)
		}
	}
	if err := c.admitTo(parts...); err != nil {
		return nil, err
	}
	c.work = budget.New(c.ctx, budget.Limits{Pool: c.account.pool})
	f := &documentFeed{call: c, def: c.container.definition.Load(), now: c.account.now().Unix(), span: asked, size: size}
	f.body = append(append(append(c.buffers.out[:0], `{"_rid":"`...), c.container.rid...), `","Documents":[`...)
	return f, nil
}

// holds says whether a reader of the feed sees an item.
func (f *documentFeed) holds(i *item) bool {
	return f.span.Holds(i.epk) && !i.expired(f.def.defaultTTL, f.now)
}

// full says that no further item belongs into the page.
func (f *documentFeed) full() bool { return f.size > 0 && f.n >= f.size || len(f.body) >= maxAnswer }

// add adds an item, as write writes it.
func (f *documentFeed) add(write func(dst []byte) []byte) {
	if f.n > 0 {
		f.body = append(f.body, ',')
	}
	before := len(f.body)
	f.body = write(f.body)
	if last := len(f.body) - before; cap(f.body)-len(f.body) <= last { // append alone grows large pages by a quarter, again and again
		f.body = pieces.Grow(f.body, len(f.body))
	}
	f.n++
	_ = f.work.Step(1 + (len(f.body)-before)/16) // a page is bounded: only its turn is of interest
}

// reply answers the page.
func (f *documentFeed) reply(lsn uint64) {
	f.charge = chargeFeed(f.n)
	f.setPartitionHeaders(f.span.Low, lsn)
	f.out.status = http.StatusOK
	f.buffers.out = append(doc.Append(append(f.body, `],"_count":`...), doc.Number(float64(f.n))), '}')
	f.out.body = f.buffers.out
	f.out.set("x-ms-item-count", strconv.Itoa(f.n))
}

// chargeFeed is what a page of a feed costs: what 2500 small items in one page cost a live account in October 2026 (34.72 RU),
// and at least 1 RU, as one item did.
func chargeFeed(items int) float64 { return max(1, 0.0139*float64(items)) }

// inOrder visits items in the order of their creation, those behind a rid, until visit returns false. The items of one logical
// partition are found by their identities, all others by going through all.
func (f *documentFeed) inOrder(v *lag.View, behind uint64, visit func(*item) bool) error {
	key, err := f.headerKey()
	if err != nil || len(key) == 0 || len(key) != len(f.def.key.Paths) {
		return f.container.eachItem(v, behind, visit)
	}
	rids, problem := f.container.ridsOf(v, f.container.partitionPrefix(f.def.key.EPK(key), key))
	if problem != nil {
		return problem
	}
	for _, rid := range rids {
		if rid <= behind {
			continue
		}
		value, ok, err := v.Get(f.container.itemKey(rid))
		if err != nil || !ok {
			return errItem
		}
		i, err := readItem(rid, value)
		if err != nil || !visit(i) {
			return err
		}
	}
	return nil
}

// eachItem visits the container's items in the order of their creation, those behind a rid, until visit returns false.
func (c *container) eachItem(v *lag.View, behind uint64, visit func(*item) bool) error {
	low := c.itemKey(behind + 1)
	it := v.Iter(low, store.PrefixEnd(c.key(letterItem, 0)), false)
	defer it.Close()
	for it.Next() {
		i, err := readItem(binary.BigEndian.Uint64(it.Key()[letterAt+1:]), it.Value())
		if err != nil {
			return err
		}
		if !visit(i) {
			return nil
		}
	}
	return it.Close()
}

// ridsOf are the rids of a logical partition's items, in their order.
func (c *container) ridsOf(v *lag.View, prefix []byte) ([]uint64, error) {
	it := v.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	var rids []uint64
	for it.Next() {
		if value := it.Value(); len(value) == 8 {
			rids = append(rids, binary.BigEndian.Uint64(value))
		}
	}
	slices.Sort(rids)
	return rids, it.Close()
}

// idsOf are the first ids of a logical partition, some at most.
func (c *container) idsOf(r *store.Reader, prefix []byte, some int) ([]string, error) {
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	var ids []string
	for len(ids) < some && it.Next() {
		ids = append(ids, string(it.Key()[len(prefix):]))
	}
	return ids, it.Close()
}
