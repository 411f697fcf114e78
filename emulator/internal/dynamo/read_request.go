package dynamo

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
)

// readRequest are the members that Query and Scan share.
type readRequest struct {
	expressions
	selection
	TableName              optional[string]
	IndexName              optional[string]
	Select                 optional[string]
	FilterExpression       optional[string]
	ConditionalOperator    optional[string]
	ReturnConsumedCapacity optional[string]
	ConsistentRead         optional[bool]
	Limit                  optional[int64]
	ExclusiveStartKey      attributes

	legacyFilter legacyConditions // QueryFilter or ScanFilter
	filter       *expr.Condition
}

// member decodes a member if it is one of these.
func (in *readRequest) member(d *decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "TableName":
		return true, d.str(&in.TableName)
	case "IndexName":
		return true, d.str(&in.IndexName)
	case "Select":
		return true, d.str(&in.Select)
	case "FilterExpression":
		return true, d.str(&in.FilterExpression)
	case "ConditionalOperator":
		return true, d.str(&in.ConditionalOperator)
	case "ReturnConsumedCapacity":
		return true, d.str(&in.ReturnConsumedCapacity)
	case "ConsistentRead":
		return true, d.boolean(&in.ConsistentRead)
	case "Limit":
		return true, d.integer(&in.Limit, "Integer")
	case "ExclusiveStartKey":
		return true, d.attributes(&in.ExclusiveStartKey)
	}
	if known, err := in.selection.member(d, name); known {
		return true, err
	}
	return in.expressions.member(d, name)
}

// indexName checks the name of an index, where there is one.
func (in *readRequest) indexName(c *constraints) {
	if in.IndexName.Set {
		c.name(in.IndexName, "indexName", minName)
	}
}

// minName is the length of the shortest name of an index.
const minName = 3

// checkSelect refuses a Select that does not go with the attributes asked for. before stands before the message.
func (in *readRequest) checkSelect(before string) error {
	asked := ""
	if in.AttributesToGet != nil {
		asked = "AttributesToGet"
	}
	if in.ProjectionExpression.Set {
		asked = "ProjectionExpression"
	}
	switch s := in.Select.V; {
	case s == "SPECIFIC_ATTRIBUTES" && asked == "":
		return validationError(before + "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case s == "COUNT" && asked != "":
		return validationError(before + "Cannot specify the " + asked + " when choosing to get only the Count")
	case s != "" && s != "SPECIFIC_ATTRIBUTES" && asked != "":
		return validationError(before + "Cannot specify the " + asked + " when choosing to get " + s)
	case s == "ALL_PROJECTED_ATTRIBUTES" && !in.IndexName.Set:
		// A Scan is told so too, in the words for a Query (nubo-db/dynoxide, 2026).
		return validationError("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	}
	return nil
}

// parseLegacyFilter parses QueryFilter or ScanFilter.
func (in *readRequest) parseLegacyFilter(f family) (err error) {
	if err := f.refuse(in.legacyFilter.err); err != nil {
		return err
	}
	in.filter, err = expr.ParseLegacyFilter(in.legacyFilter.entries, in.ConditionalOperator.V)
	return f.refuse(err)
}

// parseFilter parses FilterExpression.
func (in *readRequest) parseFilter(f family) (err error) {
	if in.FilterExpression.Set {
		in.filter, err = expr.ParseCondition(expr.FilterExpression, in.FilterExpression.V, &in.Placeholders)
	}
	return f.refuse(err)
}

// parseFilterAndProjection parses the expressions that Query and Scan share, which are the last ones, and then
// refuses placeholders that none of the request's expressions used.
func (in *readRequest) parseFilterAndProjection(f family) error {
	if err := in.parseFilter(f); err != nil {
		return err
	}
	if err := in.selection.parse(f, &in.expressions); err != nil {
		return err
	}
	return f.refuse(in.Unused())
}

// startKeyInvalid begins messages on a wrong ExclusiveStartKey.
const startKeyInvalid = "The provided starting key is invalid"

// checkStartValues refuses an ExclusiveStartKey with wrong values. The service puts its words before some
// messages, and not before those on numbers and duplicates (dynalite, 2013 on).
func (in *readRequest) checkStartValues() error {
	if in.ExclusiveStartKey.Err == nil {
		return nil
	}
	message := in.ExclusiveStartKey.Err.Error()
	for _, bare := range []string{"contains duplicates", "number set", "numeric value", "significant digits", "number with magnitude"} {
		if strings.Contains(message, bare) {
			return validationError(message)
		}
	}
	return validationError(startKeyInvalid + ": " + message)
}

// appendResourceRefs is what a Query or a Scan reads; the key of a Query depends on the table's schema.
func (in *readRequest) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, index: in.IndexName.V})
}

func (in *readRequest) answerBytes() int64 { return pageBytes }

func (in *readRequest) policyValues(v *policyValues, _ int, _ string) {
	v.selected, v.returnConsumedCapacity = in.selected(), orNone(in.ReturnConsumedCapacity)
	v.attributes.ofCondition(in.filter)
	v.attributes.ofProjection(in.projection)
}

// selected is what the read returns: as it was asked for, or what the service takes it for.
func (in *readRequest) selected() string {
	switch {
	case in.Select.Set:
		return in.Select.V
	case in.projection == nil && in.IndexName.Set:
		return "ALL_PROJECTED_ATTRIBUTES"
	}
	return selectedBy(in.projection)
}
