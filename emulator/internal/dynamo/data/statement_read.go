package data

import (
	"bytes"
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// StatementRead is the read of a PartiQL SELECT: of a table or an index, or of ranges of its keys.
type StatementRead struct {
	request readRequest
	source  source
	ranges  []keyRange // empty: everything
	Start   StatementStart
	// Backward reads each range from its end.
	Backward bool
}

// StatementStart is where a page begins: after an item, which is in one of the ranges. The zero value is the beginning.
type StatementStart struct {
	Range int
	After item.Value // the key attributes, nil at the beginning
}

// keyRange is a range of keys within one partition key.
type keyRange struct {
	partition []byte
	span
}

// NewStatementRead returns a read of the whole table, or of the index unless it is nil.
func NewStatementRead(t *engine.Table, x *engine.Index) *StatementRead {
	r := &StatementRead{source: source{table: t, keys: &t.Keys, id: t.Def.ID, scan: true}}
	if x != nil {
		r.source.index, r.source.keys, r.source.id = x, &x.Keys, x.ID
	}
	return r
}

// Options are the filter, projection and limits of a read.
type Options struct {
	TableName  string // as in the request
	Filter     *expr.Condition
	Projection *expr.Projection
	Consistent bool
	Limit      int64  // 0: none
	Capacity   string // ReturnConsumedCapacity
}

// SetOptions sets the options. Errors: the filter or the projection uses attributes that the index does not have, or
// parts of key attributes.
func (r *StatementRead) SetOptions(o Options) error {
	in := &r.request
	in.TableName = wire.NamedTable(o.TableName)
	in.ReturnConsumedCapacity = wire.Optional[string]{V: o.Capacity, Set: o.Capacity != ""}
	in.ConsistentRead = wire.Optional[bool]{V: o.Consistent, Set: true}
	in.Limit.V = o.Limit
	in.filter, in.projection = o.Filter, o.Projection
	if err := in.checkProjectionPaths(r.source.table); err != nil {
		return err
	}
	if err := in.checkFilterPaths(&r.source); err != nil {
		return err
	}
	if !r.source.scan && o.Filter != nil {
		if err := r.source.checkFilterProjected(o.Filter); err != nil {
			return err
		}
	}
	return in.checkProjected(&r.source)
}

// AddRange restricts the read to the given ranges of keys. Ranges of one partition key are read in the order of their
// sort keys, others in the order in which they are added.
func (r *StatementRead) AddRange(key *expr.KeyCondition) {
	r.source.scan = false
	added := keyRange{engine.AppendPartitionPrefix(nil, r.source.id, key.Hash...), r.source.spanFor(key)}
	r.ranges = append(r.ranges, added)
}

// Overlap reports whether two of the ranges of keys have keys in common.
func (r *StatementRead) Overlap(keys []*expr.KeyCondition) bool {
	spans := make([]span, len(keys))
	for i, key := range keys {
		spans[i] = r.source.spanFor(key)
	}
	slices.SortFunc(spans, func(a, b span) int { return bytes.Compare(a.lo, b.lo) })
	for i := 1; i < len(spans); i++ {
		if spans[i-1].overlaps(spans[i]) {
			return true
		}
	}
	return false
}

func (s span) overlaps(t span) bool {
	return bytes.Compare(s.lo, t.hi) < 0 && bytes.Compare(t.lo, s.hi) < 0
}

// mergedRanges returns the ranges without overlaps, those of one partition together.
func (r *StatementRead) mergedRanges() (merged []keyRange) {
	if len(r.ranges) == 0 {
		return []keyRange{{span: r.source.Segment(0, 1)}}
	}
	for i, first := range r.ranges {
		samePartition := func(k keyRange) bool { return bytes.Equal(k.partition, first.partition) }
		if slices.ContainsFunc(r.ranges[:i], samePartition) {
			continue
		}
		merged = append(merged, r.partitionRanges(samePartition)...)
	}
	return merged
}

// partitionRanges returns the ranges of one partition without overlaps, in the order of reading.
func (r *StatementRead) partitionRanges(in func(keyRange) bool) (ranges []keyRange) {
	var all []keyRange
	for _, k := range r.ranges {
		if in(k) {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b keyRange) int { return bytes.Compare(a.lo, b.lo) })
	for _, k := range all {
		if last := len(ranges) - 1; last >= 0 && ranges[last].overlaps(k.span) {
			if bytes.Compare(k.hi, ranges[last].hi) > 0 {
				ranges[last].hi = k.hi
			}
			continue
		}
		ranges = append(ranges, k)
	}
	if r.Backward {
		slices.Reverse(ranges)
	}
	return ranges
}

// StatementPage is a page of a StatementRead.
type StatementPage struct {
	*page
	LastRange int // the range in which the page ended, if it did not reach the end
}

// errStart is the error for a Start that no page of this read returned.
var errStart = errors.New("the read does not contain the start of the page")

// IsInvalidStart reports whether Run failed because of its Start.
func IsInvalidStart(err error) bool { return errors.Is(err, errStart) }

// Run reads a page.
func (r *StatementRead) Run(req *engine.Request) (*StatementPage, error) {
	ranges := r.mergedRanges()
	if err := r.applyStart(ranges); err != nil {
		return nil, err
	}
	p := &StatementPage{page: newPage(req, &r.request, &r.source)}
	p.hashed = true
	snapshot := req.Engine.PendingWrites.Pin(replicaFor(req, &r.source, r.request.ConsistentRead.V))
	defer snapshot.Release()
	err := req.Engine.Store.View(func(reader *store.Reader) error {
		view := snapshot.View(reader)
		units, fetchUnits := 0.0, 0.0
		for i := r.Start.Range; i < len(ranges) && p.LastKey == nil; i++ {
			p.bytesRead, p.fetchUnits, p.LastRange = 0, 0, i
			it := view.Iter(ranges[i].lo, ranges[i].hi, r.Backward)
			err := p.fill(&view, &it)
			if err := errors.Join(err, it.Close()); err != nil {
				return err
			}
			if err := p.charge(req, ranges[i].span); err != nil {
				return err
			}
			units, fetchUnits = units+p.units, fetchUnits+p.fetchUnits
		}
		p.units, p.fetchUnits = units, fetchUnits
		return r.source.table.CheckCurrent()
	})
	if err != nil {
		p.Release()
		return nil, err
	}
	return p, nil
}

// applyStart narrows the range that the page begins in.
func (r *StatementRead) applyStart(ranges []keyRange) error {
	if r.Start.After == nil {
		return nil
	}
	start := r.Start.After
	if r.Start.Range < 0 || r.Start.Range >= len(ranges) || !r.source.isFullKey(start) ||
		!r.source.keys.MatchesItem(start) || !r.source.table.Keys.MatchesItem(start) {
		return errStart
	}
	key := r.source.storeKey(start)
	if !ranges[r.Start.Range].contains(key) {
		return errStart
	}
	ranges[r.Start.Range].startAfter(key, r.Backward)
	return nil
}

// AppendItems appends the items as JSON, without brackets, and releases the page.
func (p *StatementPage) AppendItems(dst []byte) []byte {
	if len(*p.itemsJSON) > 0 {
		dst = append(dst, (*p.itemsJSON)[1:]...)
	}
	p.Release()
	return dst
}

// Consumed returns the cost of the page.
func (p *StatementPage) Consumed() *engine.ConsumedCapacity { return p.consumed() }
