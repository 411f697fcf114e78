package dynamo_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// oneIn is true with probability 1/n.
func oneIn(t *rapid.T, what string, n int) bool { return rapid.IntRange(1, n).Draw(t, what) == 1 }

// withExpression adds an expression and its placeholders to a request.
func withExpression(request object, member string, e expression) object {
	if e.text == "" {
		return request
	}
	request[member] = e.text
	for placeholder, name := range names {
		if strings.Contains(e.text, placeholder) {
			all, _ := request["ExpressionAttributeNames"].(object)
			if all == nil {
				all = object{}
			}
			all[placeholder] = name
			request["ExpressionAttributeNames"] = all
		}
	}
	if e.values != nil {
		all, _ := request["ExpressionAttributeValues"].(object)
		all = maps.Clone(all)
		if all == nil {
			all = object{}
		}
		maps.Copy(all, e.values)
		request["ExpressionAttributeValues"] = all
	}
	return request
}

// withCondition adds a condition to a write.
func withCondition(t *rapid.T, request object) object {
	if oneIn(t, "item of a failure", 2) {
		request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
	}
	return withExpression(request, "ConditionExpression", rapid.SampledFrom(conditions).Draw(t, "condition"))
}

// withReturnValues makes a write return everything that it can.
func withReturnValues(t *rapid.T, request object, values ...string) object {
	request["ReturnValues"] = rapid.SampledFrom(values).Draw(t, "return values")
	request["ReturnConsumedCapacity"] = "INDEXES"
	request["ReturnItemCollectionMetrics"] = "SIZE"
	return request
}

func (h *history) put(t *rapid.T) {
	name := h.tableName(t)
	h.call(t, "PutItem", withCondition(t, withReturnValues(t, object{"TableName": name, "Item": h.item(t, h.shape(name))},
		"NONE", "ALL_OLD")))
}

func (h *history) delete(t *rapid.T) {
	name := h.tableName(t)
	h.call(t, "DeleteItem", withCondition(t, withReturnValues(t, object{"TableName": name, "Key": h.shape(name).key(t)},
		"NONE", "ALL_OLD")))
}

func (h *history) update(t *rapid.T) {
	name := h.tableName(t)
	request := withReturnValues(t, object{"TableName": name, "Key": h.shape(name).key(t)}, "NONE", "ALL_OLD", "ALL_NEW",
		"UPDATED_OLD", "UPDATED_NEW")
	withExpression(request, "UpdateExpression", rapid.SampledFrom(updates).Draw(t, "update"))
	if oneIn(t, "conditional", 4) {
		withCondition(t, request)
	}
	h.call(t, "UpdateItem", request)
}

func (h *history) get(t *rapid.T) {
	name := h.tableName(t)
	h.call(t, "GetItem", withExpression(object{"TableName": name, "Key": h.shape(name).key(t),
		"ReturnConsumedCapacity": "INDEXES"},
		"ProjectionExpression", rapid.SampledFrom([]expression{{}, {"pk, n, #parts.a, steps[0]", nil}}).Draw(t,
			"projection")))
}

// page returns the members that Query and Scan share.
func (h *history) page(t *rapid.T, name, index string) object {
	request := object{"TableName": name, "ReturnConsumedCapacity": "INDEXES"}
	if index != "" {
		request["IndexName"] = index
	}
	if oneIn(t, "limited", 2) {
		request["Limit"] = rapid.IntRange(1, 3).Draw(t, "limit")
	}
	if h.last != nil && oneIn(t, "goes on", 3) {
		request["ExclusiveStartKey"] = h.last
	}
	if oneIn(t, "filtered", 3) {
		withExpression(request, "FilterExpression", expression{"attribute_exists(n) AND n >= :zero",
			object{":zero": object{"N": "0"}}})
	}
	return request
}

// reading returns a table and one of its indexes, or none.
func (h *history) reading(t *rapid.T) (name, index string) {
	name = h.tableName(t)
	indexes := append([]string{""}, slices.Sorted(maps.Keys(h.shape(name).indexes))...)
	return name, rapid.SampledFrom(indexes).Draw(t, "index")
}

func (h *history) query(t *rapid.T) {
	name, index := h.reading(t)
	keys, equal := []string{"pk"}, 1
	if index != "" {
		keys, equal = h.shape(name).indexes[index].keys, max(h.shape(name).indexes[index].hashes, 1)
	} else if h.shape(name).sortType != "" {
		keys = append(keys, "sk")
	}
	equal = rapid.IntRange(equal, max(equal, len(keys)-1)).Draw(t, "equal")
	values, text := object{}, ""
	for i, key := range keys[:equal] {
		value := fmt.Sprintf(":p%d", i)
		values[value] = keyValue(t, keyTypes[key])
		text += " AND " + key + " = " + value
	}
	text = strings.TrimPrefix(text, " AND ")
	if len(keys) > equal && oneIn(t, "range", 2) {
		typ := keyTypes[keys[equal]]
		if keys[equal] == "sk" {
			typ = h.shape(name).sortType
		}
		values[":s"] = keyValue(t, typ)
		text += " AND " + keys[equal] + rapid.SampledFrom([]string{" = :s", " < :s", " <= :s", " > :s", " >= :s"}).Draw(t,
			"comparison")
	}
	request := withExpression(h.page(t, name, index), "KeyConditionExpression", expression{text, values})
	request["ScanIndexForward"] = rapid.Bool().Draw(t, "forward")
	h.last, _ = h.call(t, "Query", request)["LastEvaluatedKey"].(map[string]any)
}

func (h *history) scan(t *rapid.T) {
	name, index := h.reading(t)
	request := h.page(t, name, index)
	if oneIn(t, "parallel", 3) {
		request["TotalSegments"] = 3
		request["Segment"] = rapid.IntRange(0, 2).Draw(t, "segment")
	}
	h.last, _ = h.call(t, "Scan", request)["LastEvaluatedKey"].(map[string]any)
}

func (h *history) batchWrite(t *rapid.T) {
	tables := object{}
	for range rapid.IntRange(1, 4).Draw(t, "writes") {
		name := h.tableName(t)
		write := object{"PutRequest": object{"Item": h.item(t, h.shape(name))}}
		if oneIn(t, "deletes", 3) {
			write = object{"DeleteRequest": object{"Key": h.shape(name).key(t)}}
		}
		writes, _ := tables[name].([]object)
		tables[name] = append(writes, write)
	}
	h.call(t, "BatchWriteItem", object{"RequestItems": tables, "ReturnConsumedCapacity": "INDEXES",
		"ReturnItemCollectionMetrics": "SIZE"})
}

func (h *history) batchGet(t *rapid.T) {
	tables := object{}
	for range rapid.IntRange(1, 3).Draw(t, "reads") {
		name := h.tableName(t)
		keys := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) object { return h.shape(name).key(t) }), 1, 3,
			func(key object) string { return fmt.Sprint(key) }).Draw(t, "keys")
		tables[name] = object{"Keys": keys}
	}
	h.call(t, "BatchGetItem", object{"RequestItems": tables, "ReturnConsumedCapacity": "INDEXES"})
}

func (h *history) transactGet(t *rapid.T) {
	var gets []object
	for range rapid.IntRange(1, 3).Draw(t, "reads") {
		name := h.tableName(t)
		gets = append(gets, object{"Get": object{"TableName": name, "Key": h.shape(name).key(t)}})
	}
	h.call(t, "TransactGetItems", object{"TransactItems": gets, "ReturnConsumedCapacity": "INDEXES"})
}

func (h *history) transactWrite(t *rapid.T) {
	var writes []object
	for range rapid.IntRange(1, 4).Draw(t, "writes") {
		writes = append(writes, h.transactMember(t))
	}
	request := object{"TransactItems": writes, "ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"}
	again := 1
	if oneIn(t, "idempotent", 2) {
		request["ClientRequestToken"] = rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "token")
		again = rapid.IntRange(1, 2).Draw(t, "sent")
	}
	for range again {
		h.call(t, "TransactWriteItems", request)
	}
}

func (h *history) transactMember(t *rapid.T) object {
	name := h.tableName(t)
	s := h.shape(name)
	switch kind := rapid.SampledFrom([]string{"Put", "Put", "Update", "Delete", "ConditionCheck"}).Draw(t, "kind"); kind {
	case "Put":
		return object{kind: withCondition(t, object{"TableName": name, "Item": h.item(t, s)})}
	case "Update":
		return object{kind: withExpression(object{"TableName": name, "Key": s.key(t)}, "UpdateExpression",
			rapid.SampledFrom(updates).Draw(t, "update"))}
	case "ConditionCheck":
		return object{kind: withExpression(object{"TableName": name, "Key": s.key(t)}, "ConditionExpression",
			rapid.SampledFrom(conditions[2:]).Draw(t, "condition"))}
	default:
		return object{kind: withCondition(t, object{"TableName": name, "Key": s.key(t)})}
	}
}
