package dynamo_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

func definition(name, typ string) object { return object{"AttributeName": name, "AttributeType": typ} }

// keySchema returns a key schema with that number of partition key attributes, which come first.
func keySchema(hashes int, names ...string) []object {
	var schema []object
	for i, name := range names {
		kind := "RANGE"
		if i < max(hashes, 1) {
			kind = "HASH"
		}
		schema = append(schema, object{"AttributeName": name, "KeyType": kind})
	}
	return schema
}

// request returns the definition of the index for CreateTable.
func (x indexShape) request(name string) object {
	projection := object{"ProjectionType": "KEYS_ONLY"}
	if x.all {
		projection = object{"ProjectionType": "ALL"}
	} else if x.projected != nil {
		projection = object{"ProjectionType": "INCLUDE", "NonKeyAttributes": x.projected}
	}
	return object{"IndexName": name, "KeySchema": keySchema(x.hashes, x.keys...), "Projection": projection}
}

func (h *history) createTable(t *rapid.T) {
	name := rapid.SampledFrom(tableNames).Draw(t, "table")
	s := &tableShape{sortType: rapid.SampledFrom([]string{"", "S", "N", "B"}).Draw(t, "sort type"),
		indexes: map[string]indexShape{}}
	request := object{"TableName": name, "BillingMode": "PAY_PER_REQUEST"}
	keys, used := []string{"pk"}, map[string]string{"pk": "S"}
	if s.sortType != "" {
		keys, used["sk"] = append(keys, "sk"), s.sortType
	}
	request["KeySchema"] = keySchema(1, keys...)
	for _, index := range slices.Sorted(maps.Keys(indexShapes)) {
		x := indexShapes[index]
		if local := x.keys[0] == "pk"; local && s.sortType == "" || oneIn(t, "without "+index, 2) {
			continue
		}
		member := "GlobalSecondaryIndexes"
		if x.keys[0] == "pk" {
			member = "LocalSecondaryIndexes"
		}
		indexes, _ := request[member].([]object)
		request[member], s.indexes[index] = append(indexes, x.request(index)), x
		for _, key := range x.keys {
			used[key] = keyTypes[key]
		}
	}
	var definitions []object
	for _, key := range slices.Sorted(maps.Keys(used)) {
		definitions = append(definitions, definition(key, used[key]))
	}
	request["AttributeDefinitions"] = definitions
	if !failed(h.call(t, "CreateTable", request)) {
		h.tables[name] = s
		h.checkID(t, name)
	}
}

// checkID checks that no two tables ever had the same id.
func (h *history) checkID(t *rapid.T, name string) {
	for _, s := range h.services {
		c := conversation{service: s.service, clock: s.clock}
		var answer struct{ Table struct{ TableId string } }
		body := c.post("DynamoDB_20120810.DescribeTable", `{"TableName": "`+name+`"}`).Body.Bytes()
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatal(err)
		}
		id := s.name + " " + answer.Table.TableId
		if h.ids[id] {
			t.Fatalf("two tables have the id %s", id)
		}
		h.ids[id] = true
	}
}

func (h *history) deleteTable(t *rapid.T) {
	name := h.tableName(t)
	if !failed(h.call(t, "DeleteTable", object{"TableName": name})) {
		delete(h.tables, name)
	}
}

// changeIndexes creates or deletes a global index of a table, which may have items.
func (h *history) changeIndexes(t *rapid.T) {
	name := h.tableName(t)
	s := h.shape(name)
	index := rapid.SampledFrom([]string{"by-group", "by-group-range", "by-range", "by-pair", "by-three"}).Draw(t, "index")
	if _, there := s.indexes[index]; there {
		request := object{"TableName": name, "GlobalSecondaryIndexUpdates": []object{{"Delete": object{"IndexName": index}}}}
		if !failed(h.call(t, "UpdateTable", request)) {
			delete(s.indexes, index)
		}
		return
	}
	x := indexShapes[index]
	var definitions []object
	for _, key := range x.keys {
		definitions = append(definitions, definition(key, keyTypes[key]))
	}
	request := object{
		"TableName": name, "AttributeDefinitions": definitions,
		"GlobalSecondaryIndexUpdates": []object{{"Create": x.request(index)}},
	}
	if !failed(h.call(t, "UpdateTable", request)) {
		s.indexes[index] = x
	}
}

// expire enables or disables time to live.
func (h *history) expire(t *rapid.T) {
	h.call(t, "UpdateTimeToLive", object{
		"TableName":               h.tableName(t),
		"TimeToLiveSpecification": object{"AttributeName": "until", "Enabled": !oneIn(t, "no more", 4)},
	})
}

func (h *history) describe(t *rapid.T) {
	h.call(t, "ListTables", object{})
	for _, operation := range []string{"DescribeTable", "DescribeTimeToLive"} {
		h.call(t, operation, object{"TableName": h.tableName(t)})
	}
}

// checkAll checks that the tables are equal in all services, that each index matches its table, and that the counts are
// right.
func (h *history) checkAll(t *rapid.T) {
	h.reopen(t)
	h.call(t, "ListTables", object{})
	for _, name := range slices.Sorted(maps.Keys(h.tables)) {
		h.call(t, "DescribeTimeToLive", object{"TableName": name})
		d, _ := h.call(t, "DescribeTable", object{"TableName": name})["Table"].(map[string]any)
		items := h.all(t, name, "")
		checkCount(t, name, d, items)
		described := indexesOf(d)
		for index, x := range h.tables[name].indexes {
			entries := h.all(t, name, index)
			checkCount(t, index, described[index], entries)
			h.checkIndex(t, name, index, x, items, entries)
		}
		if len(described) != len(h.tables[name].indexes) {
			t.Fatalf("%s has the indexes %v, not %v", name, described, h.tables[name].indexes)
		}
	}
}

// indexesOf returns the descriptions of a table's indexes by name.
func indexesOf(table map[string]any) map[string]map[string]any {
	all := map[string]map[string]any{}
	for _, member := range []string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
		indexes, _ := table[member].([]any)
		for _, index := range indexes {
			d, _ := index.(map[string]any)
			all[fmt.Sprint(d["IndexName"])] = d
		}
	}
	return all
}

func checkCount(t *rapid.T, name string, described map[string]any, items []map[string]any) {
	if got := fmt.Sprint(described["ItemCount"]); got != fmt.Sprint(len(items)) {
		t.Fatalf("%s counts %s items and has %d", name, got, len(items))
	}
	if size := fmt.Sprint(described["TableSizeBytes"], described["IndexSizeBytes"]); len(items) == 0 &&
		!strings.Contains(size, "0") {
		t.Fatalf("%s has no items and the size %s", name, size)
	}
}

// all reads all items, page by page.
func (h *history) all(t *rapid.T, name, index string) []map[string]any {
	request := object{"TableName": name, "Limit": 4}
	if index != "" {
		request["IndexName"] = index
	}
	var items []map[string]any
	for {
		answer := h.call(t, "Scan", request)
		page, _ := answer["Items"].([]any)
		for _, it := range page {
			items = append(items, it.(map[string]any))
		}
		start, more := answer["LastEvaluatedKey"]
		if !more {
			return items
		}
		request["ExclusiveStartKey"] = start
	}
}

// checkIndex checks that an index has the projections of exactly those items that have its keys.
func (h *history) checkIndex(t *rapid.T, name, index string, x indexShape, items, entries []map[string]any) {
	var want, got []string
	for _, it := range items {
		if x.has(it) {
			want = append(want, text(x.project(it)))
		}
	}
	for _, it := range entries {
		got = append(got, text(it))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Fatalf("%s of %s has %v, not %v", index, name, got, want)
	}
}

// has reports whether an item is in the index. An item older than the index may have values in its key attributes that
// cannot be keys.
func (x indexShape) has(it map[string]any) bool {
	return !slices.ContainsFunc(x.keys, func(key string) bool {
		v, _ := it[key].(map[string]any)
		value := v[keyTypes[key]]
		return value == nil || value == ""
	})
}

func (x indexShape) project(it map[string]any) map[string]any {
	if x.all {
		return it
	}
	projected := map[string]any{}
	for _, name := range slices.Concat([]string{"pk", "sk"}, x.keys, x.projected) {
		if v, ok := it[name]; ok {
			projected[name] = v
		}
	}
	return projected
}

// text returns the JSON of a value with sorted members.
func text(v any) string {
	b, _ := json.Marshal(v) // it was decoded from JSON
	return string(b)
}
