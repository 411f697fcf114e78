package dynamo

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// ScanInput reads a table or an index, or a segment of it, in no order of use to anyone.
type ScanInput struct {
	readRequest
	Segment, TotalSegments optional[int64]
}

func (in *ScanInput) decode(d *decoder) error {
	d.items.Older = true
	return d.members(func(name []byte) error {
		switch string(name) {
		case "Segment":
			return d.integer(&in.Segment, "Integer")
		case "TotalSegments":
			return d.integer(&in.TotalSegments, "Integer")
		case "ScanFilter":
			return d.conditions(&in.legacyFilter)
		}
		if known, err := in.member(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *ScanInput) check() error {
	if err := in.checkMembers(); err != nil {
		return err
	}
	if err := in.checkParameters(); err != nil {
		return err
	}
	if err := in.parseLegacy(older); err != nil {
		return err
	}
	if err := in.parseLegacyFilter(older); err != nil {
		return err
	}
	if err := in.checkStartValues(); err != nil {
		return err
	}
	if err := in.checkSegment(); err != nil {
		return err
	}
	if err := in.checkContents(older); err != nil {
		return err
	}
	return in.parseFilterAndProjection(older)
}

func (in *ScanInput) checkMembers() error {
	var c constraints
	c.oneOf(in.Select, "select", selections)
	in.indexName(&c)
	c.atLeast(in.TotalSegments, "totalSegments", 1)
	c.atMost(in.TotalSegments, "totalSegments", 1_000_000)
	c.oneOf(in.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
	if in.TableName.Set && in.TableName.V == "" {
		c.minLength("", "tableName", 1)
	} else {
		c.name(in.TableName, "tableName", 1)
	}
	c.oneOf(in.ConditionalOperator, "conditionalOperator", logicOperators)
	in.legacyFilter.constraints(&c, "scanFilter")
	c.atLeast(in.Segment, "segment", 0)
	c.atLeast(in.Limit, "limit", 1)
	in.selection.constraints(&c)
	return c.err()
}

// checkParameters refuses parameters that do not go together.
func (in *ScanInput) checkParameters() error {
	filter := parameter{"FilterExpression", in.FilterExpression.Set}
	err := in.checkUse(older,
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
	return in.checkSelect("")
}

func (in *ScanInput) checkSegment() error {
	switch segment, total := in.Segment, in.TotalSegments; {
	case segment.Set && !total.Set:
		return validationError("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case total.Set && !segment.Set:
		return validationError("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case segment.Set && segment.V >= total.V:
		return validationError(fmt.Sprintf("The Segment parameter is zero-based and must be less than parameter TotalSegments: "+
			"Segment: %d is not less than TotalSegments: %d", segment.V, total.V))
	}
	return nil
}

func scan(a *request, in *ScanInput) (*page, error) {
	s, err := in.source(a)
	if err != nil {
		return nil, err
	}
	s.scan = true
	span := s.segment(in.Segment.V, max(in.TotalSegments.V, 1))
	if err := in.checkReading(s, span); err != nil {
		return nil, err
	}
	if start := in.ExclusiveStartKey.Value; start != nil {
		span.startAfter(s.key(start), false)
	}
	return in.read(a, s, span, false)
}

// checkReading refuses a start key, a filter and a selection that do not go with what is read.
func (in *ScanInput) checkReading(s *source, within span) error {
	start := in.ExclusiveStartKey.Value
	if err := in.checkStartAttributes(s, start); err != nil {
		return err
	}
	if err := in.checkAllAttributes(s); err != nil {
		return err
	}
	if err := in.checkStartKey(s, start, within); err != nil {
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
	case s.index == nil && !s.isFullKey(start):
		return validationError(startKeyInvalid + ": " + errKeySchema().Message)
	case s.index == nil:
		return nil
	case !s.isFullKey(start):
		return validationError(startKeyInvalid)
	}
	if err := s.checkStartAttribute(start, s.keys.hash); err != nil {
		return err
	}
	return s.checkStartAttribute(start, s.keys.sort)
}

// checkStartKey refuses a start key that is none of the table, or one of another segment.
func (in *ScanInput) checkStartKey(s *source, start item.Value, within span) error {
	if start == nil {
		return nil
	}
	if err := s.checkStartKey(start); err != nil {
		return err
	}
	if in.TotalSegments.Set && !within.has(s.key(start)) {
		return validationError(fmt.Sprintf(startKeyInvalid+": Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "+
			"TotalSegments: %d Segment: %d", in.TotalSegments.V, in.Segment.V))
	}
	return nil
}

func (in *ScanInput) traits() traits { return traits{eventual: !in.ConsistentRead.V} }
