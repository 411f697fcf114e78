package dynamo_test

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"
)

// object is the JSON of a structure or a map.
type object = map[string]any

// tableShape is the history's knowledge of a table: its indexes, and the type of its sort key, empty if there is none.
type tableShape struct {
	sortType string
	indexes  map[string]indexShape
}

// indexShape is the key of an index, the partition key first, and the projected attributes, nil for all.
type indexShape struct {
	keys      []string
	hashes    int // partition key attributes; 0: one
	projected []string
	all       bool
}

// The attributes that may be keys, and their types.
var keyTypes = map[string]string{"pk": "S", "g": "S", "r": "N"}

// indexShapes are the indexes that a table may have. by-order is local, and so needs a sort key.
var indexShapes = map[string]indexShape{
	"by-group":       {keys: []string{"g"}, all: true},
	"by-group-range": {keys: []string{"g", "r"}, projected: []string{"n"}},
	"by-range":       {keys: []string{"r", "g"}},
	"by-order":       {keys: []string{"pk", "r"}, projected: []string{"s", "steps"}},
	"by-pair":        {keys: []string{"g", "r", "pk"}, hashes: 2, projected: []string{"n"}},
	"by-three":       {keys: []string{"g", "r", "pk"}, all: true},
}

var tableNames = []string{"alpha", "beta"}

// tableName returns the name of a table, which usually exists.
func (h *history) tableName(t *rapid.T) string {
	if there := slices.Sorted(maps.Keys(h.tables)); len(there) > 0 && !oneIn(t, "any table", 20) {
		return rapid.SampledFrom(there).Draw(t, "table")
	}
	return rapid.SampledFrom(tableNames).Draw(t, "table")
}

// shape returns the shape of a table; one that does not exist has no sort key.
func (h *history) shape(name string) *tableShape {
	if s, ok := h.tables[name]; ok {
		return s
	}
	return &tableShape{}
}

// There are few key values, so that requests often have the same one.
var (
	keyTexts   = []string{"a", "b", "a\x00", "é"}
	keyNumbers = []string{"0", "-1.5", "2", "10", "1e20"}
	keyBytes   = []string{"AA==", "/w==", "AAE="}
)

// keyValue returns a value of a key's type, occasionally of another type.
func keyValue(t *rapid.T, typ string) object {
	if rapid.IntRange(0, 99).Draw(t, "wrong") == 71 { // small numbers are more frequent
		return rapid.SampledFrom([]object{{"BOOL": true}, {"S": ""}, {"N": "5"}, {"L": []object{}}}).Draw(t, "wrong value")
	}
	values := map[string][]string{"S": keyTexts, "N": keyNumbers, "B": keyBytes}[typ]
	return object{typ: rapid.SampledFrom(values).Draw(t, "key value")}
}

// key returns the key of some item.
func (s *tableShape) key(t *rapid.T) object {
	key := object{"pk": keyValue(t, "S")}
	if s.sortType != "" {
		key["sk"] = keyValue(t, s.sortType)
	}
	return key
}

// item returns an item that may be in indexes and may expire.
func (h *history) item(t *rapid.T, s *tableShape) object {
	it := s.key(t)
	if rapid.Bool().Draw(t, "has g") {
		it["g"] = keyValue(t, "S")
	}
	if rapid.Bool().Draw(t, "has r") {
		it["r"] = keyValue(t, "N")
	}
	if rapid.IntRange(0, 3).Draw(t, "expires") == 0 {
		it["until"] = h.soon(t)
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"n", "s", "steps", "parts", "colours", "long"}),
		0, 3, rapid.ID).Draw(t, "attributes") {
		it[name] = attribute(t, name)
	}
	return it
}

// soon returns a time close to now.
func (h *history) soon(t *rapid.T) object {
	now := h.services[0].clock.Now().Unix()
	return object{"N": fmt.Sprint(now + int64(rapid.SampledFrom([]int{-10, 0, 1, 30, 3600}).Draw(t, "expires in")))}
}

func attribute(t *rapid.T, name string) object {
	switch name {
	case "steps":
		return object{"L": []object{{"N": fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "element"))}, {"NULL": true}}}
	case "parts":
		return object{"M": object{"a": object{"S": rapid.SampledFrom(keyTexts).Draw(t, "entry")},
			"b": object{"BOOL": rapid.Bool().Draw(t, "flag")}}}
	case "colours":
		return object{"SS": rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "z"}), 1, 3,
			rapid.ID).Draw(t, "colours")}
	case "long":
		text := make([]byte, rapid.SampledFrom([]int{10, 1000, 5000}).Draw(t, "length"))
		for i := range text {
			text[i] = 'x'
		}
		return object{"S": string(text)}
	case "n":
		return object{"N": fmt.Sprint(rapid.IntRange(-3, 3).Draw(t, "number"))}
	}
	return object{"S": rapid.SampledFrom(keyTexts).Draw(t, "text")}
}

// conditions are condition expressions with their values.
var conditions = []expression{
	{"", nil},
	{"", nil},
	{"attribute_not_exists(pk)", nil},
	{"attribute_exists(n) AND n >= :zero", object{":zero": object{"N": "0"}}},
	{"contains(#colours, :x) OR size(steps) > :one", object{":x": object{"S": "x"}, ":one": object{"N": "1"}}},
	{"NOT #parts.a = :a", object{":a": object{"S": "a"}}},
	{"n BETWEEN :low AND :high", object{":low": object{"N": "-1"}, ":high": object{"N": "2"}}},
}

// updates are update expressions; some fit few items.
var updates = []expression{
	{"SET n = if_not_exists(n, :zero) + :one", object{":zero": object{"N": "0"}, ":one": object{"N": "1"}}},
	{"SET g = :g REMOVE r", object{":g": object{"S": "b"}}},
	{"SET r = :r", object{":r": object{"N": "2"}}},
	{"REMOVE g, steps[0]", nil},
	{"ADD n :one, #colours :new", object{":one": object{"N": "1"}, ":new": object{"SS": []string{"new"}}}},
	{"DELETE #colours :new", object{":new": object{"SS": []string{"x", "new"}}}},
	{"SET #parts.b = :r, steps = list_append(steps, steps)", object{":r": object{"N": "2"}}},
	{"SET n = n - :one", object{":one": object{"N": "1"}}},
	{"REMOVE until SET s = :s", object{":s": object{"S": "updated"}}},
}

// expression is an expression and its values.
type expression struct {
	text   string
	values object
}

// names are the name placeholders of the expressions above.
var names = map[string]string{"#colours": "colours", "#parts": "parts"}
