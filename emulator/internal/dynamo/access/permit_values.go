package access

import (
	"encoding/base64"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Values implements iam.Values for the condition keys that AWS documents for DynamoDB.
func (q *AccessContext) Values(key string) []string {
	key, ok := strings.CutPrefix(key, "dynamodb:")
	if !ok {
		return q.tagValues(key)
	}
	switch key {
	case "leadingkeys", "firstpartitionkeyvalues":
		return q.partitionKeys(0)
	case "secondpartitionkeyvalues":
		return q.partitionKeys(1)
	case "thirdpartitionkeyvalues":
		return q.partitionKeys(2)
	case "fourthpartitionkeyvalues":
		return q.partitionKeys(3)
	case "attributes":
		return q.policyValues().Attributes.List
	case "select":
		return iam.ValueOf(q.policyValues().Select)
	case "returnvalues":
		return iam.ValueOf(q.policyValues().ReturnValues)
	case "returnconsumedcapacity":
		return iam.ValueOf(q.policyValues().ReturnConsumedCapacity)
	case "fulltablescan":
		return q.fullTableScan()
	case "enclosingoperation":
		if q.inTransaction() {
			return iam.ValueOf(q.request.Event.Operation)
		}
	}
	return nil
}

// partitionKeys returns the values that the request names of one partition key attribute, by its position in the key.
// Only the key of an index has several. A Scan names none.
func (q *AccessContext) partitionKeys(position int) []string {
	if q.table == nil {
		return nil
	}
	if in, ok := q.input.(engine.KeyRangeReader); ok {
		if condition := in.KeyCondition(q.table); condition != nil && position < len(condition.Hash) {
			return keyTexts(condition.Hash[position : position+1])
		}
		return nil
	}
	if position > 0 {
		return nil // no other operation reads such an index by its key
	}
	if in, ok := q.input.(engine.StatementInput); ok {
		return q.statementKeys(in)
	}
	var keys []string
	for i := range q.refs[q.from:q.to] {
		v, ok := q.refs[q.from+i].Item.Field(q.table.Keys.Partition().Name)
		if ok {
			keys = append(keys, KeyText(v))
		}
	}
	return keys
}

// statementKeys returns the partition keys that PartiQL statements read or write.
func (q *AccessContext) statementKeys(in engine.StatementInput) (keys []string) {
	for member := q.from; member < q.to; member++ {
		keys = append(keys, keyTexts(in.PartitionKeys(member, q.table))...)
	}
	return keys
}

func keyTexts(values []item.Value) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = KeyText(v)
	}
	return texts
}

// fullTableScan reports whether a PartiQL SELECT reads a whole table or index; other operations have no such value.
func (q *AccessContext) fullTableScan() []string {
	in, ok := q.input.(engine.StatementInput)
	if !ok || q.table == nil || q.refs[q.from].Action != "PartiQLSelect" {
		return nil
	}
	for member := q.from; member < q.to; member++ {
		if in.IsFullScan(member, q.table) {
			return []string{"true"}
		}
	}
	return []string{"false"}
}

// KeyText returns a key value as policies see it: a number in the service's canonical form, a binary in base64.
func KeyText(v item.Value) string {
	switch v.Type() {
	case item.Number:
		text := string(v.AppendJSON(nil)) // {"N":"1"}
		return strings.TrimSuffix(strings.TrimPrefix(text, `{"N":"`), `"}`)
	case item.Binary:
		return base64.StdEncoding.EncodeToString(v.Bytes())
	}
	return v.Text()
}

// policyValues returns the request's values, collected once for all conditions of all policies.
func (q *AccessContext) policyValues() *engine.PolicyValues {
	if q.collected != nil {
		return q.collected
	}
	q.collected = new(engine.PolicyValues)
	for i := range q.refs[q.from:q.to] {
		q.collected.Attributes.AddItem(q.refs[q.from+i].Item)
	}
	if in, ok := q.input.(engine.PolicyInput); ok {
		in.PolicyValues(q.collected, q.from, q.refs[q.from].Table)
	}
	return q.collected
}

// tagValues returns the values of a condition key about tags: those of the table or stream, and those in the request.
func (q *AccessContext) tagValues(key string) []string {
	if name, ok := strings.CutPrefix(key, "aws:resourcetag/"); ok && q.table != nil {
		for _, t := range q.table.TagsOf(q.refs[q.from].Resource) {
			if strings.EqualFold(t.Key, name) {
				return []string{t.Value}
			}
		}
	}
	values := q.policyValues()
	if name, ok := strings.CutPrefix(key, "aws:requesttag/"); ok {
		for _, t := range values.Tags {
			if strings.EqualFold(t.Key, name) {
				return []string{t.Value}
			}
		}
	}
	if key == "aws:tagkeys" {
		return values.TagKeys
	}
	return nil
}
