package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"

// policyValues are the values of condition keys of policies that an input gives: those of DynamoDB's own keys, empty where the
// operation has none, and the tags.
type policyValues struct {
	selected, returnValues, returnConsumedCapacity string
	attributes                                     namedAttributes // top-level ones: of keys, items and expressions
	tags                                           []tag
	tagKeys                                        []string
}

// policyInput is an input that has such values.
type policyInput interface {
	// policyValues adds those of one resource that the input names: the one at the position of member, of that table.
	policyValues(v *policyValues, member int, table string)
}

// give notes a tag that a request gives to a resource.
func (v *policyValues) give(t tag) {
	v.tags, v.tagKeys = append(v.tags, t), append(v.tagKeys, t.Key)
}

// selectedBy is what a read without Select returns.
func selectedBy(projection *expr.Projection) string {
	if projection != nil {
		return "SPECIFIC_ATTRIBUTES"
	}
	return "ALL_ATTRIBUTES"
}

// orNone is a member's value, NONE where it is not set.
func orNone(o optional[string]) string {
	if o.Set {
		return o.V
	}
	return "NONE"
}
