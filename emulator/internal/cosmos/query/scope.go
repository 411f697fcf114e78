package query

import (
	"slices"
	"sort"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// scope is the part of one physical partition that a query reads: sorted, disjoint ranges.
type scope struct {
	partition engine.PartitionKeyRange
	parts     []doc.EPKRange
	shared    *sharedKey // the scope has only the items with this key; nil: all
}

// holds reports whether the scope contains an effective partition key.
func (s *scope) holds(e doc.EPK) bool {
	at := sort.Search(len(s.parts), func(i int) bool { return doc.CompareEPK(e, s.parts[i].High) < 0 })
	return at < len(s.parts) && s.parts[at].Contains(e)
}

// target is where a query reads: the range in the request's headers, and the ranges that its filter allows.
type target struct {
	requested doc.EPKRange
	possible  []doc.EPKRange
	shared    *sharedKey // the partition key in the headers, if others share its EPK
	// unsupported is the reason why the gateway cannot run the query over several partitions; nil: it can, or the query
	// reads only one.
	unsupported error
}

// readTarget reads where a query reads. The request's headers name a partition key, a physical partition or a range of
// hashes; the query's filter narrows it. Without such headers the gateway itself runs the query over all partitions,
// which it can do only for simple queries.
func readTarget(r *operation.Request, container *engine.Container, spec *QuerySpec) (in target, err *wire.Error) {
	named, err := readRange(r, container)
	if err != nil {
		return in, err
	}
	planned := spec.planRequest(container)
	possible := sqlplan.Ranges(planned)
	in = target{requested: named.span, possible: epkRanges(possible), shared: named.shared}
	if !named.given && !sqlplan.IsSingleKey(possible) {
		if !r.Flag("X-Ms-Documentdb-Query-Enablecrosspartition") {
			return in, wire.BadRequest("%s", sqlplan.NotEnabled)
		}
		in.unsupported = checkGateway(planned)
	}
	return in, nil
}

// scopes returns the scopes of a query in order, one per physical partition.
func (in *target) scopes(container *engine.Container, spec *QuerySpec) []scope {
	all := scopes(container, in.requested, in.possible)
	for i := range all {
		all[i].shared = in.shared
	}
	if len(all) > 1 && checkGateway(spec.planRequest(container)) != nil {
		return []scope{mergeScopes(all)}
	}
	return all
}

// checkGateway returns the reason why the gateway cannot run a query over several partitions itself; nil: it can.
func checkGateway(r *sqlplan.Request) error {
	plan, err := sqlplan.New(r)
	if err != nil {
		return err
	}
	return plan.CheckGateway()
}

// mergeScopes merges the scopes of several partitions into one, for a query whose rows would otherwise have to be
// merged: one for a prefix of a hierarchical key, or a range of hashes, that crosses a partition boundary.
func mergeScopes(scopes []scope) scope {
	merged := scopes[0]
	for _, s := range scopes[1:] {
		merged.parts = append(merged.parts, s.parts...)
	}
	return merged
}

// namedRange is the part of a container that the headers of a read name.
type namedRange struct {
	span   doc.EPKRange     // of hashes; the full range if they name none
	given  bool             // whether they name one
	key    doc.PartitionKey // by which they name it; nil: not by a key
	shared *sharedKey       // key, if others share its EPK
}

// readRange returns what the headers name.
func readRange(r *operation.Request, container *engine.Container) (in namedRange, err *wire.Error) {
	in.span = doc.FullRange()
	if in.key, err = r.HeaderKey(); err != nil {
		return in, err
	}
	if in.key != nil {
		in.given, in.shared = true, shareOf(container, in.key)
		in.span, err = keyRangeOf(container, in.key)
		return in, err
	}
	if id := r.Header("X-Ms-Documentdb-Partitionkeyrangeid"); id != "" {
		// Java and .NET put the container's rid before it
		found, ok := container.RangeByID(id[strings.LastIndexByte(id, ',')+1:])
		if !ok {
			return in, wire.PartitionKeyRangeGone()
		}
		in.span, in.given = found.EPKRange, true
	}
	if !strings.EqualFold(r.Header("X-Ms-Read-Key-Type"), "EffectivePartitionKeyRange") {
		return in, nil
	}
	window, err := readEPKRange(r)
	in.span, in.given = doc.Intersect(in.span, window), true
	return in, err
}

// keyRangeOf returns the range of hashes of a partition key, or of a prefix of a hierarchical one.
func keyRangeOf(container *engine.Container, key doc.PartitionKey) (doc.EPKRange, *wire.Error) {
	def := &container.Definition.Load().Key
	if len(key) > len(def.Paths) {
		return doc.EPKRange{}, wire.KeyMismatch()
	}
	if len(key) == 0 { // of items without a partition key value
		key = make(doc.PartitionKey, len(def.Paths))
	}
	low, high := def.Range(key)
	return doc.EPKRange{Low: low, High: high}, nil
}

// readEPKRange returns the range of hashes in x-ms-start-epk and x-ms-end-epk.
func readEPKRange(r *operation.Request) (doc.EPKRange, *wire.Error) {
	requested := doc.FullRange()
	for _, end := range []struct {
		header string
		to     *doc.EPK
	}{{"X-Ms-Start-Epk", &requested.Low}, {"X-Ms-End-Epk", &requested.High}} {
		text := r.Header(end.header)
		if text == "" {
			continue
		}
		e, err := doc.ParseEPK(text)
		if err != nil {
			return requested, wire.InvalidInput("The header %s is not valid: %s.", strings.ToLower(end.header), err)
		}
		*end.to = e
	}
	return requested, nil
}

// epkRanges converts the ranges of a plan. A point becomes the range from the key to its immediate successor; the point
// "", which no item has, is dropped.
func epkRanges(ranges []sqlplan.Range) []doc.EPKRange {
	all := make([]doc.EPKRange, 0, len(ranges))
	for _, r := range ranges {
		low, errLow := doc.ParseEPK(r.Min)
		high, errHigh := doc.ParseEPK(r.Max)
		switch {
		case errLow != nil || errHigh != nil: // the planner never writes such a range
			return []doc.EPKRange{doc.FullRange()}
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
func scopes(c *engine.Container, requested doc.EPKRange, possible []doc.EPKRange) []scope {
	all := []scope{}
	for _, r := range c.Ranges() {
		within := doc.Intersect(requested, r.EPKRange)
		s := scope{partition: r}
		for _, p := range possible {
			if part := doc.Intersect(within, p); !part.Empty() {
				s.parts = append(s.parts, part)
			}
		}
		if len(s.parts) > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return []scope{{partition: c.RangeOf(requested.Low)}}
	}
	return all
}
