package query

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// scope is what a query reads of one physical partition: sorted, disjoint ranges.
type scope struct {
	partition engine.KeyRange
	parts     []doc.EPKRange
}

// holds reports whether the scope contains an effective partition key.
func (s *scope) holds(e doc.EPK) bool {
	for _, p := range s.parts {
		if p.Holds(e) {
			return true
		}
	}
	return false
}

// place is where a query reads: the range in the request's headers, and the ranges that its filter allows.
type place struct {
	asked    doc.EPKRange
	possible []doc.EPKRange
	// refused is the reason why the gateway cannot run the query over several partitions; nil: it can, or the query
	// reads only one.
	refused error
}

// readPlace reads where a query reads. The request's headers name a partition key, a physical partition or a range of
// hashes; the query's filter narrows it. Without such headers the gateway itself runs the query over all partitions,
// which it can do only for simple queries.
func readPlace(r *operation.Request, on *engine.Container, spec *QuerySpec) (in place, err *wire.Error) {
	asked, named, err := readRange(r, on)
	if err != nil {
		return in, err
	}
	planned := spec.planned(on)
	possible := sqlplan.Ranges(planned)
	in = place{asked: asked, possible: spans(possible)}
	if !named && !sqlplan.Single(possible) {
		if !r.Flag("X-Ms-Documentdb-Query-Enablecrosspartition") {
			return in, wire.BadRequest("%s", sqlplan.NotEnabled)
		}
		in.refused = direct(planned)
	}
	return in, nil
}

// scopes returns the scopes of a query in order, one per physical partition.
func (in *place) scopes(on *engine.Container, spec *QuerySpec) []scope {
	all := scopes(on, in.asked, in.possible)
	if len(all) > 1 && direct(spec.planned(on)) != nil {
		return []scope{joined(all)}
	}
	return all
}

// direct returns the reason why the gateway cannot run a query over several partitions itself; nil: it can.
func direct(r *sqlplan.Request) error {
	plan, err := sqlplan.New(r)
	if err != nil {
		return err
	}
	return plan.Direct()
}

// joined merges the scopes of several partitions into one, for a query whose rows would otherwise have to be merged:
// one for a prefix of a hierarchical key, or a range of hashes, that crosses a partition boundary.
func joined(scopes []scope) scope {
	one := scopes[0]
	for _, s := range scopes[1:] {
		one.parts = append(one.parts, s.parts...)
	}
	return one
}

// readRange returns the range of hashes that the headers name. named reports whether they name one.
func readRange(r *operation.Request, on *engine.Container) (asked doc.EPKRange, named bool, err *wire.Error) {
	asked = doc.WholeRange()
	key, err := r.HeaderKey()
	if err != nil {
		return asked, false, err
	}
	if key != nil {
		asked, err = keyRangeOf(on, key)
		return asked, true, err
	}
	if id := r.Header("X-Ms-Documentdb-Partitionkeyrangeid"); id != "" {
		found, ok := on.RangeByID(id[strings.LastIndexByte(id, ',')+1:]) // Java and .NET put the container's rid before it
		if !ok {
			return asked, true, wire.RangeGone()
		}
		asked, named = found.EPKRange, true
	}
	if !strings.EqualFold(r.Header("X-Ms-Read-Key-Type"), "EffectivePartitionKeyRange") {
		return asked, named, nil
	}
	window, err := readWindow(r)
	return doc.Meet(asked, window), true, err
}

// keyRangeOf returns the range of hashes of a partition key, or of a prefix of a hierarchical one.
func keyRangeOf(on *engine.Container, key doc.PartitionKey) (doc.EPKRange, *wire.Error) {
	def := &on.Definition.Load().Key
	if len(key) > len(def.Paths) {
		return doc.EPKRange{}, wire.KeyMismatch()
	}
	if len(key) == 0 { // of items without a partition key value
		key = make(doc.PartitionKey, len(def.Paths))
	}
	low, high := def.Range(key)
	return doc.EPKRange{Low: low, High: high}, nil
}

// readWindow returns the range of hashes in x-ms-start-epk and x-ms-end-epk.
func readWindow(r *operation.Request) (doc.EPKRange, *wire.Error) {
	w := doc.WholeRange()
	for _, end := range []struct {
		header string
		to     *doc.EPK
	}{{"X-Ms-Start-Epk", &w.Low}, {"X-Ms-End-Epk", &w.High}} {
		text := r.Header(end.header)
		if text == "" {
			continue
		}
		e, err := doc.ParseEPK(text)
		if err != nil {
			return w, wire.InvalidInput("The header %s is not valid: %s.", strings.ToLower(end.header), err)
		}
		*end.to = e
	}
	return w, nil
}

// spans converts the ranges of a plan. A point becomes the range from the key to its immediate successor; the point "",
// which no item has, is dropped.
func spans(ranges []sqlplan.Range) []doc.EPKRange {
	all := make([]doc.EPKRange, 0, len(ranges))
	for _, r := range ranges {
		low, errLow := doc.ParseEPK(r.Min)
		high, errHigh := doc.ParseEPK(r.Max)
		switch {
		case errLow != nil || errHigh != nil: // the planner never writes such a range
			return []doc.EPKRange{doc.WholeRange()}
		case r.Min == r.Max && r.Min == "":
			continue
		case r.MaxInclusive:
			high = append(slices.Clone(high), 0)
		}
		all = append(all, doc.EPKRange{Low: low, High: high})
	}
	return all
}

// scopes returns the scopes for the ranges that are both asked for and possible. If there are none, it returns one
// scope that reads nothing, because a query such as a count returns rows without any items.
func scopes(c *engine.Container, asked doc.EPKRange, possible []doc.EPKRange) []scope {
	all := []scope{}
	for _, r := range c.Ranges() {
		within := doc.Meet(asked, r.EPKRange)
		s := scope{partition: r}
		for _, p := range possible {
			if part := doc.Meet(within, p); !part.Empty() {
				s.parts = append(s.parts, part)
			}
		}
		if len(s.parts) > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return []scope{{partition: c.RangeOf(asked.Low)}}
	}
	return all
}
