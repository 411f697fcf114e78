package data

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// readRequest are the members that Query and Scan share.
type readRequest struct {
	expressions
	selection
	TableName              wire.TableName
	IndexName              wire.Optional[string]
	Select                 wire.Optional[string]
	FilterExpression       wire.Optional[string]
	ConditionalOperator    wire.Optional[string]
	ReturnConsumedCapacity wire.Optional[string]
	ConsistentRead         wire.Optional[bool]
	Limit                  wire.Optional[int64]
	ExclusiveStartKey      wire.Attributes

	legacyFilter legacyConditions // QueryFilter or ScanFilter
	filter       *expr.Condition
}

// decodeMember decodes a member if it belongs to readRequest.
func (in *readRequest) decodeMember(d *wire.Decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "TableName":
		return true, d.TableName(&in.TableName)
	case "IndexName":
		return true, d.Str(&in.IndexName)
	case "Select":
		return true, d.Str(&in.Select)
	case "FilterExpression":
		return true, d.Str(&in.FilterExpression)
	case "ConditionalOperator":
		return true, d.Str(&in.ConditionalOperator)
	case "ReturnConsumedCapacity":
		return true, d.Str(&in.ReturnConsumedCapacity)
	case "ConsistentRead":
		return true, d.Boolean(&in.ConsistentRead)
	case "Limit":
		return true, d.Integer(&in.Limit, "Integer")
	case "ExclusiveStartKey":
		return true, d.Attributes(&in.ExclusiveStartKey)
	}
	if known, err := in.selection.decodeMember(d, name); known {
		return true, err
	}
	return in.expressions.decodeMember(d, name)
}

// checkIndexName checks the name of the index, if there is one.
func (in *readRequest) checkIndexName(c *wire.Constraints) {
	if in.IndexName.Set {
		c.Name("indexName", in.IndexName, minNameLength)
	}
}

// minNameLength is the minimum length of an index name.
const minNameLength = 3

// checkSelect returns an error for a Select that contradicts the requested attributes. before is the message's prefix.
func (in *readRequest) checkSelect(prefix string) error {
	requested := ""
	if in.AttributesToGet != nil {
		requested = "AttributesToGet"
	}
	if in.ProjectionExpression.Set {
		requested = "ProjectionExpression"
	}
	switch s := in.Select.V; {
	case s == "SPECIFIC_ATTRIBUTES" && requested == "":
		return wire.ValidationError(prefix +
			"Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case s == "COUNT" && requested != "":
		return wire.ValidationError(prefix + "Cannot specify the " + requested + " when choosing to get only the Count")
	case s != "" && s != "SPECIFIC_ATTRIBUTES" && requested != "":
		return wire.ValidationError(prefix + "Cannot specify the " + requested + " when choosing to get " + s)
	case s == "ALL_PROJECTED_ATTRIBUTES" && !in.IndexName.Set:
		// A Scan gets the same message, worded for a Query (nubo-db/dynoxide and moto, verified on AWS, 2026).
		return wire.ValidationError(prefix + "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	}
	return nil
}

// parseLegacyFilter parses QueryFilter or ScanFilter.
func (in *readRequest) parseLegacyFilter(style wire.ErrorStyle) (err error) {
	if err := style.Convert(in.legacyFilter.err); err != nil {
		return err
	}
	in.filter, err = expr.ParseLegacyFilter(in.legacyFilter.entries, in.ConditionalOperator.V)
	return style.Convert(err)
}

// parseFilter parses FilterExpression.
func (in *readRequest) parseFilter(style wire.ErrorStyle) (err error) {
	if in.FilterExpression.Set {
		in.filter, err = expr.ParseCondition(expr.FilterExpression, in.FilterExpression.V, &in.Placeholders)
	}
	return style.Convert(err)
}

// parseFilterAndProjection parses the expressions that Query and Scan share, which are the last ones. Then it returns
// an error for placeholders that no expression of the request uses.
func (in *readRequest) parseFilterAndProjection(style wire.ErrorStyle) error {
	if err := in.parseFilter(style); err != nil {
		return err
	}
	if err := in.selection.parse(style, &in.expressions); err != nil {
		return err
	}
	return style.Convert(in.Unused())
}

// checkStartValues returns an error for an ExclusiveStartKey with invalid values. The service prefixes some of the
// messages, but not those about numbers and duplicates (dynalite, from 2013).
func (in *readRequest) checkStartValues() error {
	if in.ExclusiveStartKey.Err == nil {
		return nil
	}
	message := in.ExclusiveStartKey.Err.Error()
	for _, bare := range []string{"contains duplicates", "number set", "numeric value", "significant digits",
		"number with magnitude"} {
		if strings.Contains(message, bare) {
			return wire.ValidationError(message)
		}
	}
	return wire.ValidationError(startKeyInvalid + ": " + message)
}

// AppendResourceRefs appends the table or index that is read. The key of a Query depends on the table's schema: see
// KeyCondition.
func (in *readRequest) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.TableName.V, Index: in.IndexName.V})
}

func (in *readRequest) ResponseBytes() int64 { return engine.PageBytes }

func (in *readRequest) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	v.Select, v.ReturnConsumedCapacity = in.effectiveSelect(), engine.OrNone(in.ReturnConsumedCapacity)
	v.Attributes.AddCondition(in.filter)
	v.Attributes.AddProjection(in.projection)
}

// effectiveSelect returns the effective Select: the one that was sent, or the service's default.
func (in *readRequest) effectiveSelect() string {
	switch {
	case in.Select.Set:
		return in.Select.V
	case in.projection == nil && in.IndexName.Set:
		return "ALL_PROJECTED_ATTRIBUTES"
	}
	return engine.DefaultSelect(in.projection)
}
