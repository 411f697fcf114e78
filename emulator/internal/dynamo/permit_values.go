package dynamo

import (
	"encoding/base64"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Values implements iam.Values: the condition keys that AWS documents for DynamoDB.
func (q *accessContext) Values(key string) []string {
	key, ok := strings.CutPrefix(key, "dynamodb:")
	if !ok {
		return q.tags(key)
	}
	switch key {
	case "leadingkeys", "firstpartitionkeyvalues":
		return q.leadingKeys()
	case "attributes":
		return q.gathered().attributes.list
	case "select":
		return one(q.gathered().selected)
	case "returnvalues":
		return one(q.gathered().returnValues)
	case "returnconsumedcapacity":
		return one(q.gathered().returnConsumedCapacity)
	case "enclosingoperation":
		if q.transacted() {
			return one(q.request.event.Operation)
		}
	}
	return nil
}

// one is a value, none for the empty one.
func one(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// leadingKeys are the partition keys that the request names. A Scan names none.
func (q *accessContext) leadingKeys() []string {
	if q.table == nil {
		return nil
	}
	if in, ok := q.in.(keyReader); ok {
		if condition := in.keyOn(q.table); condition != nil {
			return []string{keyText(condition.Partition)}
		}
		return nil
	}
	var keys []string
	for i := range q.refs[q.from:q.to] {
		v, ok := q.refs[q.from+i].item.Field(q.table.keys.hash.name)
		if ok {
			keys = append(keys, keyText(v))
		}
	}
	return keys
}

// keyText is a key's value as policies see it: a number as the service writes it, bytes in base64.
func keyText(v item.Value) string {
	switch v.Type() {
	case item.Number:
		text := string(v.AppendJSON(nil)) // {"N":"1"}
		return strings.TrimSuffix(strings.TrimPrefix(text, `{"N":"`), `"}`)
	case item.Binary:
		return base64.StdEncoding.EncodeToString(v.Bytes())
	}
	return v.Text()
}

// gathered are the values that the request gives, gathered once for all conditions of all policies.
func (q *accessContext) gathered() *policyValues {
	if q.values != nil {
		return q.values
	}
	q.values = new(policyValues)
	for i := range q.refs[q.from:q.to] {
		q.values.attributes.ofItem(q.refs[q.from+i].item)
	}
	if in, ok := q.in.(policyInput); ok {
		in.policyValues(q.values, q.from, q.refs[q.from].table)
	}
	return q.values
}

// tags are the values of keys about tags: those of the table, and those that the request gives.
func (q *accessContext) tags(key string) []string {
	if name, ok := strings.CutPrefix(key, "aws:resourcetag/"); ok && q.table != nil {
		for _, t := range q.table.def.Tags {
			if strings.EqualFold(t.Key, name) {
				return []string{t.Value}
			}
		}
	}
	values := q.gathered()
	if name, ok := strings.CutPrefix(key, "aws:requesttag/"); ok {
		for _, t := range values.tags {
			if strings.EqualFold(t.Key, name) {
				return []string{t.Value}
			}
		}
	}
	if key == "aws:tagkeys" {
		return values.tagKeys
	}
	return nil
}
