package data

import (
	"errors"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxTopK is the maximum number of results of a search, and maxSearchVector of dimensions.
const maxTopK, maxSearchVector = 100, 4096

// Check checks in the order of the service's search endpoint as far as it is recorded: a missing member, the
// constraints on single members, TopK and the vector, then the expressions. (Messages: paritysuite, eu-west-2,
// 2026-08-11, and us-east-1, 2026-10-09; nubo-db/dynoxide, 2026-08-13 and 2026-10-09.)
func (in *SearchVectorsInput) Check() error {
	if in.missing != "" {
		return wire.ValidationError(in.missing)
	}
	if err := in.checkMembers(); err != nil {
		return err
	}
	if in.invalid {
		return wire.ValidationError("Search vector contains invalid values. " +
			"All values in the search vector must be a 32-bit floating-point number attribute")
	}
	if err := in.checkExpressions(wire.ReadErrors,
		[]parameter{{"SearchConditionExpression", in.SearchConditionExpression.Set},
			{"ProjectionExpression", in.ProjectionExpression.Set}},
		[]parameter{{"SearchConditionExpression", in.SearchConditionExpression.Set}}, nil); err != nil {
		return err
	}
	if in.SearchConditionExpression.Set {
		var err error
		in.condition, err = expr.ParseSearchCondition(in.SearchConditionExpression.V, &in.Placeholders)
		if err != nil {
			return wire.ReadErrors.Convert(err)
		}
	}
	if err := in.selection.parse(wire.ReadErrors, &in.expressions); err != nil {
		return err
	}
	return wire.ReadErrors.Convert(in.Unused())
}

func (in *SearchVectorsInput) checkMembers() error {
	var c wire.Constraints
	name := in.IndexName.V
	switch {
	case len(name) < minNameLength:
		c.AddWithheld("IndexName", "Member must have length greater than or equal to 3")
	case len(name) > 255:
		c.AddWithheld("IndexName", "Member must have length less than or equal to 255")
	case !shape.IsName(name):
		c.AddWithheld("IndexName", "Member must satisfy regular expression pattern: "+shape.NamePattern)
	}
	switch {
	case in.dimensions == 0:
		c.AddWithheld("SearchVector", "Member must have length greater than or equal to 1")
	case in.dimensions > maxSearchVector:
		c.AddWithheld("SearchVector", "Member must have length less than or equal to 4096")
	}
	if in.TopK.V < 1 {
		c.AddWithheld("TopK", "Member must have value greater than or equal to 1")
	}
	if err := c.Err(); err != nil {
		return err
	}
	var bare wire.Constraints
	bare.EveryTableName("tableName", in.TableName.V)
	if err := bare.Err(); err == nil {
		bare.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	}
	if message := bare.Message(); message != "" { // the messages of these two omit the number of errors
		_, message, _ = strings.Cut(message, " detected: ")
		return wire.ValidationError(message)
	}
	if in.TopK.V > maxTopK {
		return wire.ValidationError("Provided TopK value '" + string(wire.AppendCount(nil, int(in.TopK.V))) +
			"' is out of valid range. The value must be between 1 and 100 inclusive")
	}
	return nil
}

// searchVectorsOutput is the results of a search, the most similar first.
type searchVectorsOutput struct {
	items    []item.Value
	scores   []float32
	bytes    float64
	capacity bool
}

// SearchVectors returns the entries of a vector index that are most similar to a vector. It compares all entries in one
// snapshot, where the service approximates.
func SearchVectors(req *engine.Request, in *SearchVectorsInput) (*searchVectorsOutput, error) {
	t, err := req.Account.Table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	x, ok := t.Vector(in.IndexName.V)
	switch {
	case !ok:
		return nil, wire.ValidationError("The table does not have the specified index: " + in.IndexName.V)
	case x.Backfilling:
		return nil, wire.ValidationError("Cannot search backfilling vector index: " + x.Name)
	}
	if err := in.checkIndex(x); err != nil {
		return nil, err
	}
	n := &nearest{index: x, target: in.vector, most: int(in.TopK.V)}
	size, err := in.search(req, t, n)
	if err != nil {
		return nil, err
	}
	out := &searchVectorsOutput{bytes: engine.VectorBytes(size), capacity: wantsCapacity(in.ReturnConsumedCapacity.V)}
	req.Consume(t, telemetry.VectorSearches, int64(out.bytes))
	for _, e := range n.found {
		it, err := in.result(req, n, e.entry)
		if err != nil {
			return nil, err
		}
		out.items, out.scores = append(out.items, it), append(out.scores, e.score)
	}
	return out, nil
}

// checkIndex returns an error for a search that does not fit the index.
func (in *SearchVectorsInput) checkIndex(x *engine.VectorIndex) error {
	partition := x.Hash == nil
	for _, e := range in.condition {
		if !x.InSchema(e.Name) {
			return wire.ValidationError("SearchConditionExpression must not contain any attributes that is not in " +
				"SearchSchema. Invalid attribute: " + e.Name)
		}
		if x.Hash == nil || e.Name != x.Hash.Name {
			continue
		}
		partition = true
		if x.Hash.Type == e.Value.Type() {
			if err := engine.CheckKeyValue(*x.Hash, e.Value); err != nil {
				return err
			}
		}
	}
	switch {
	case !partition:
		return wire.ValidationError("SearchConditionExpression must be provided when SearchSchema has a HASH key")
	case len(in.vector) != x.Dimensions:
		return wire.ValidationError("Input search vector dimension " + string(wire.AppendCount(nil, len(in.vector))) +
			" does not match vector index dimension " + string(wire.AppendCount(nil, x.Dimensions)))
	}
	return nil
}

// search compares all entries that meet the condition. It returns the size in bytes of the compared entries, which the
// emulator reports as the cost. No recording shows how the service computes a cost above the minimum of 1,024.
func (in *SearchVectorsInput) search(req *engine.Request, t *engine.Table, n *nearest) (size int, err error) {
	lo, hi := engine.KeySpan(n.index.ID)
	err = req.Engine.Store.View(func(r *store.Reader) error {
		it := r.Iter(lo, hi, false)
		var stopped error
		for it.Next() {
			entry := item.Value(it.Value())
			if entry == nil { // unreadable; Close returns the error
				break
			}
			if stopped = req.Budget().Step(1 + len(entry)/engine.ItemBytesPerStep); stopped != nil {
				break
			}
			if in.matches(entry) {
				size += entry.ItemSize()
				n.add(entry)
			}
		}
		return errors.Join(stopped, it.Close(), t.CheckCurrent())
	})
	return size, err
}

// matches reports whether an entry meets the condition.
func (in *SearchVectorsInput) matches(entry item.Value) bool {
	for _, e := range in.condition {
		if v, ok := entry.Field(e.Name); !ok || !item.Equal(v, e.Value) {
			return false
		}
	}
	return true
}

// result returns an entry as a search returns it. It has the vector only if the request names it and the index projects
// it.
func (in *SearchVectorsInput) result(req *engine.Request, n *nearest, entry item.Value) (item.Value, error) {
	if in.projection != nil && n.index.ProjectsVector {
		n.buffer = n.index.Unpack(n.buffer[:0], entry)
		entry = entry.With(n.index.Attribute, item.NewFloats(n.buffer))
	} else {
		entry = entry.Without(n.index.Attribute)
	}
	projected, err := in.project(entry, req.Budget())
	if err != nil {
		return nil, err
	}
	return projected, req.CountResponseMemory(len(projected))
}

func (o *searchVectorsOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"SearchResults":[`...)
	for i, it := range o.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = it.AppendItem(append(dst, `{"Item":`...))
		dst = append(wire.AppendFloat(append(dst, `,"Score":`...), float64(o.scores[i])), '}')
	}
	dst = append(dst, ']')
	if o.capacity {
		dst = append(wire.AppendFloat(append(dst, `,"ConsumedCapacity":{"VectorSearchRequestBytes":`...), o.bytes), '}')
	}
	return append(dst, '}')
}

// AppendResourceRefs appends the index of the search.
func (in *SearchVectorsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.TableName.V, Index: in.IndexName.V})
}

func (in *SearchVectorsInput) ResponseBytes() int64 { return engine.PageBytes }

func (in *SearchVectorsInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	v.ReturnConsumedCapacity = engine.OrNone(in.ReturnConsumedCapacity)
	v.Attributes.AddProjection(in.projection)
}
