package data

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// QueryInput reads the items with one partition key from a table or an index, in the order of their sort keys.
type QueryInput struct {
	readRequest
	KeyConditionExpression wire.Optional[string]
	ScanIndexForward       wire.Optional[bool]

	keyConditions legacyConditions
	key           *expr.KeyExpression
}

func (in *QueryInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "KeyConditionExpression":
			return d.Str(&in.KeyConditionExpression)
		case "KeyConditions":
			return decodeConditions(d, &in.keyConditions)
		case "QueryFilter":
			return decodeConditions(d, &in.legacyFilter)
		case "ScanIndexForward":
			return d.Boolean(&in.ScanIndexForward)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *QueryInput) Check() error {
	if err := in.checkMembers(); err != nil {
		return err
	}
	if err := in.checkParameters(); err != nil {
		return err
	}
	if err := in.checkSelectValue(); err != nil {
		return err
	}
	if err := in.parseLegacyFilter(wire.ReadErrors); err != nil {
		return err
	}
	if err := in.parseLegacy(wire.ReadErrors); err != nil {
		return err
	}
	if err := in.checkStartValues(); err != nil {
		return err
	}
	if !in.keyConditions.set && !in.KeyConditionExpression.Set {
		return wire.ValidationError(
			"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	if err := in.checkPlaceholdersAndValues(wire.ReadErrors); err != nil {
		return err
	}
	if err := in.parseKeyCondition(); err != nil {
		return err
	}
	if err := in.parseFilterAndProjection(wire.ReadErrors); err != nil {
		return err
	}
	return in.parseKeyConditions()
}

// checkMembers returns an error for invalid members. A Limit below 1 and an empty TableName come first, without the
// others; Select comes later (nubo-db/dynoxide, AWS in seven regions, 2026-10-09). Without a TableName all are reported
// together (the same, 2026-10-20).
func (in *QueryInput) checkMembers() error {
	const belowOne = "Member must have value greater than or equal to 1"
	var c wire.Constraints
	if !in.TableName.Set {
		c.Enum("select", in.Select, wire.SelectValues)
		in.checkOtherMembers(&c)
		c.Range("limit", in.Limit, 1, math.MaxInt32)
		return c.Err()
	}
	if in.Limit.Set && in.Limit.V < 1 {
		c.AddWithheld("Limit", belowOne)
	}
	if in.TableName.V == "" {
		c.AddWithheld("TableName", "Member must have length greater than or equal to 1")
	}
	if err := c.Err(); err != nil {
		return err
	}
	in.checkOtherMembers(&c)
	return c.Err()
}

func (in *QueryInput) checkOtherMembers(c *wire.Constraints) {
	if in.TableName.Set {
		c.TableName("tableName", in.TableName.V)
	}
	in.checkIndexName(c)
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	in.legacyFilter.constraints(c, "queryFilter")
	c.Required(in.TableName.Set, "tableName")
	in.selection.constraints(c)
	in.keyConditions.constraints(c, "keyConditions")
}

// checkSelectValue returns an error for an invalid ConditionalOperator, then for an invalid Select, then for one that
// contradicts the requested attributes (paritysuite/dynamodb-conformance and nubo-db/dynoxide, 2026-10).
func (in *QueryInput) checkSelectValue() error {
	o := in.ConditionalOperator
	if err := expr.CheckConditionalOperator(len(in.legacyFilter.entries), o.V); err != nil {
		return wire.ReadErrors.Convert(err)
	}
	if o.Set && !wire.InEnum(o.V, wire.ConditionalOperators) {
		return wire.ValidationError("Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]")
	}
	var c wire.Constraints
	if c.Enum("select", in.Select, wire.SelectValues); c.Err() != nil {
		return c.Err()
	}
	return in.checkSelect(wire.ValidationPrefix)
}

// checkParameters returns an error for parameters that exclude each other.
func (in *QueryInput) checkParameters() error {
	filter := parameter{"FilterExpression", in.FilterExpression.Set}
	key := parameter{"KeyConditionExpression", in.KeyConditionExpression.Set}
	return in.checkCombinations(wire.ReadErrors,
		[]parameter{{"ProjectionExpression", in.ProjectionExpression.Set}, filter, key},
		[]parameter{filter, key},
		[]parameter{
			{"AttributesToGet", in.AttributesToGet != nil},
			{"QueryFilter", in.legacyFilter.set},
			{"ConditionalOperator", in.ConditionalOperator.Set},
			// KeyConditions can be combined with expressions other than KeyConditionExpression (dynalite, from 2013).
			{"KeyConditions", in.keyConditions.set && key.set},
		})
}

// parseKeyCondition parses KeyConditionExpression, which the service parses before the other expressions.
func (in *QueryInput) parseKeyCondition() (err error) {
	if in.KeyConditionExpression.Set {
		in.key, err = expr.ParseKeyCondition(in.KeyConditionExpression.V, &in.Placeholders)
	}
	return wire.ReadErrors.Convert(err)
}

// parseKeyConditions parses KeyConditions, which the service parses after all expressions, or checks that
// KeyConditionExpression is a condition on keys.
func (in *QueryInput) parseKeyConditions() (err error) {
	if in.KeyConditionExpression.Set {
		return wire.ReadErrors.Convert(in.key.Err())
	}
	if err := wire.ReadErrors.Convert(in.keyConditions.err); err != nil {
		return err
	}
	in.key, err = expr.ParseKeyConditions(in.keyConditions.entries)
	return wire.ReadErrors.Convert(err)
}

// Query reads a page of the items with one partition key, in the order of the sort key.
func Query(req *engine.Request, in *QueryInput) (*page, error) {
	s, err := in.ResolveSource(req)
	if err != nil {
		return nil, err
	}
	key, err := in.resolveKey(s)
	if err != nil {
		return nil, err
	}
	if err := in.checkRead(s); err != nil {
		return nil, err
	}
	span := s.spanFor(key)
	backward := in.ScanIndexForward.Set && !in.ScanIndexForward.V
	if start := in.ExclusiveStartKey.Value; start != nil {
		span.startAfter(s.storeKey(start), backward)
	}
	return in.ReadPage(req, s, span, backward)
}

// checkRead returns an error if the filter or the selection is not allowed for the table or index.
func (in *QueryInput) checkRead(s *source) error {
	if err := in.checkProjectionPaths(s.table); err != nil {
		return err
	}
	if err := in.checkFilter(s); err != nil {
		return err
	}
	if err := in.checkAllAttributes(s); err != nil {
		return err
	}
	if err := in.checkFilterPaths(s); err != nil {
		return err
	}
	return in.checkProjected(s)
}

// resolveKey resolves the key condition and checks ExclusiveStartKey, in the service's order: the start key's size and
// partition key, the condition, the start key's sort key, the start key as a key of the table, and the start key
// against the condition. A start key that does not fit a schema has one message (nubo-db/dynoxide, AWS in four regions,
// 2026-10-09).
func (in *QueryInput) resolveKey(s *source) (*expr.KeyCondition, error) {
	start := in.ExclusiveStartKey.Value
	if start != nil {
		if !s.isFullKey(start) {
			return nil, wire.ValidationError(startKeyInvalid)
		}
		if err := checkStartAttributes(start, s.keys.Hash); err != nil {
			return nil, startKeyError(err)
		}
	}
	key, err := in.key.Resolve(&s.keys.KeySchema)
	if err != nil || start == nil {
		return key, wire.ReadErrors.Convert(err)
	}
	if err := checkStartAttributes(start, s.keys.Range); err != nil {
		return nil, startKeyError(err)
	}
	if err := s.table.Keys.CheckKey(s.table.Keys.Extract(start)); err != nil {
		return nil, startKeyError(err)
	}
	return key, s.checkStartWithin(start, key)
}

func (in *QueryInput) Traits() engine.Traits {
	return engine.Traits{EventuallyConsistent: !in.ConsistentRead.V, Pages: true}
}

func (in *QueryInput) PolicyValues(v *engine.PolicyValues, member int, table string) {
	for name := range in.key.Attributes() {
		v.Attributes.Add(name)
	}
	in.readRequest.PolicyValues(v, member, table)
}

// KeyCondition returns the condition on the key of the table, or of the index that is read; nil if it does not fit the
// schema.
func (in *QueryInput) KeyCondition(t *engine.Table) *expr.KeyCondition {
	keys := &t.Keys
	if in.IndexName.Set {
		x, ok := t.Index(in.IndexName.V)
		if !ok {
			return nil
		}
		keys = &x.Keys
	}
	condition, err := in.key.Resolve(&keys.KeySchema)
	if err != nil { // the operation reports the error
		return nil
	}
	return condition
}
