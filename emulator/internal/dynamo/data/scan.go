package data

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ScanInput reads a table or an index, or a segment of it, in no particular order.
type ScanInput struct {
	readRequest
	Segment, TotalSegments wire.Optional[int64]
}

func (in *ScanInput) Decode(d *wire.Decoder) error {
	d.Items.LegacyErrors = true
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "Segment":
			return d.Integer(&in.Segment, "Integer")
		case "TotalSegments":
			return d.Integer(&in.TotalSegments, "Integer")
		case "ScanFilter":
			return decodeConditions(d, &in.legacyFilter)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *ScanInput) Check() error {
	if err := in.checkMembers(); err != nil {
		return err
	}
	if err := in.checkParameters(); err != nil {
		return err
	}
	if err := in.parseLegacy(wire.LegacyErrors); err != nil {
		return err
	}
	if err := in.parseLegacyFilter(wire.LegacyErrors); err != nil {
		return err
	}
	if err := in.checkStartValues(); err != nil {
		return err
	}
	if err := in.checkSegment(); err != nil {
		return err
	}
	if err := in.checkPlaceholdersAndValues(wire.LegacyErrors); err != nil {
		return err
	}
	return in.parseFilterAndProjection(wire.LegacyErrors)
}

// checkMembers returns an error for invalid members. The words about Limit, Segment and Select, and the shorter ones
// about the start key, are us-east-1's since October 2026 (moto's tests that are verified on AWS, 2026-10-27; the
// same as recorded for eu-west-2 by exoego/dynamodb-conformance, 2026-09-28).
func (in *ScanInput) checkMembers() error {
	var c wire.Constraints
	c.Enum("select", in.Select, wire.SelectValues)
	in.checkIndexName(&c)
	c.Range("totalSegments", in.TotalSegments, 1, 1_000_000)
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	c.AnyTableName("tableName", in.TableName)
	c.Enum("conditionalOperator", in.ConditionalOperator, wire.ConditionalOperators)
	in.legacyFilter.constraints(&c, "scanFilter")
	if in.Segment.Set && in.Segment.V < 0 {
		c.AddWithheld("Segment", "Member must have value greater than or equal to 0")
	}
	if in.Limit.Set && in.Limit.V < 1 {
		c.AddWithheld("Limit", "Member must have value greater than or equal to 1")
	}
	in.selection.constraints(&c)
	return c.Err()
}

// checkParameters returns an error for parameters that exclude each other.
func (in *ScanInput) checkParameters() error {
	filter := parameter{"FilterExpression", in.FilterExpression.Set}
	err := in.checkCombinations(wire.LegacyErrors,
		[]parameter{{"ProjectionExpression", in.ProjectionExpression.Set}, filter},
		[]parameter{filter},
		[]parameter{
			{"AttributesToGet", in.AttributesToGet != nil},
			{"ScanFilter", in.legacyFilter.set},
			{"ConditionalOperator", in.ConditionalOperator.Set},
		})
	if err != nil {
		return err
	}
	return in.checkSelect(wire.ValidationPrefix)
}

func (in *ScanInput) checkSegment() error {
	switch segment, total := in.Segment, in.TotalSegments; {
	case segment.Set && !total.Set:
		return wire.ValidationError(
			"The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case total.Set && !segment.Set:
		return wire.ValidationError(
			"The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case segment.Set && segment.V >= total.V:
		return wire.ValidationError(
			"The Segment parameter is zero-based and must be less than parameter TotalSegments")
	}
	return nil
}

// Scan reads a page of a table or an index, or of a segment of it.
func Scan(req *engine.Request, in *ScanInput) (*page, error) {
	s, err := in.ResolveSource(req)
	if err != nil {
		return nil, err
	}
	s.scan = true
	span := s.Segment(in.Segment.V, max(in.TotalSegments.V, 1))
	if err := in.checkRead(s, span); err != nil {
		return nil, err
	}
	if start := in.ExclusiveStartKey.Value; start != nil {
		span.startAfter(s.storeKey(start), false)
	}
	return in.ReadPage(req, s, span, false)
}

// checkRead returns an error if the start key, the filter or the selection is not allowed for the table or index.
func (in *ScanInput) checkRead(s *source, keys span) error {
	start := in.ExclusiveStartKey.Value
	if err := in.checkStartAttributes(s, start); err != nil {
		return err
	}
	if err := in.checkAllAttributes(s); err != nil {
		return err
	}
	if err := in.checkStartKey(s, start, keys); err != nil {
		return err
	}
	if err := in.checkProjectionPaths(s.table); err != nil {
		return err
	}
	if err := in.checkFilterPaths(s); err != nil {
		return err
	}
	return in.checkProjected(s)
}

func (in *ScanInput) checkStartAttributes(s *source, start item.Value) error {
	switch {
	case start == nil:
		return nil
	case !s.isFullKey(start):
		return wire.ValidationError(startKeyInvalid)
	case s.index == nil:
		return nil
	}
	return checkStartAttributes(start, s.keys.Attributes())
}

// checkStartKey returns an error for a start key that is not a key of the table, or belongs to another segment.
func (in *ScanInput) checkStartKey(s *source, start item.Value, keys span) error {
	if start == nil {
		return nil
	}
	if err := s.checkStartKey(start); err != nil {
		return err
	}
	if in.TotalSegments.Set && !keys.contains(s.storeKey(start)) {
		return wire.ValidationError(fmt.Sprintf(startKeyInvalid+
			": Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "+
			"TotalSegments: %d Segment: %d", in.TotalSegments.V, in.Segment.V))
	}
	return nil
}

func (in *ScanInput) Traits() engine.Traits {
	return engine.Traits{EventuallyConsistent: !in.ConsistentRead.V, Pages: true}
}
