package difference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Difference is a place where two responses differ.
type Difference struct {
	Path     string `json:"path"`     // such as Item.total.N; "status" and "error" are the response's own
	Recorded string `json:"recorded"` // as JSON; empty: absent
	Answered string `json:"answered"`
}

// Comparison compares two responses to an operation.
type Comparison struct {
	Operation string
	Documents bool                            // the responses are Cosmos DB's, not DynamoDB's
	Capacity  bool                            // whether to compare consumed capacity
	Learn     func(recorded, answered string) // called with values that the service generates; nil: nothing is
	Found     []Difference
}

// Bodies compares two bodies. A body that is not JSON is compared as text.
func (c *Comparison) Bodies(recorded, answered []byte) {
	recordedValue, err := parse(recorded)
	replayedValue, err2 := parse(answered)
	if err != nil || err2 != nil {
		if !bytes.Equal(recorded, answered) {
			c.Add("body", string(recorded), string(answered))
		}
		return
	}
	c.values(valuePath{documents: c.Documents}, recordedValue, replayedValue)
}

// parse parses a body; an empty one is nil. Numbers keep their text.
func parse(body []byte) (any, error) {
	if len(body) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// Add adds a difference that is not one of the bodies.
func (c *Comparison) Add(path, recorded, answered string) {
	c.Found = append(c.Found, Difference{path, recorded, answered})
}

// values compares the values at one place; nil means absent.
func (c *Comparison) values(at valuePath, recorded, replayed any) {
	if at.ignored(c.Capacity) {
		return
	}
	switch recorded := recorded.(type) {
	case map[string]any:
		if replayed, ok := replayed.(map[string]any); ok {
			c.objects(at, recorded, replayed)
			return
		}
	case []any:
		if replayed, ok := replayed.([]any); ok {
			c.arrays(at, recorded, replayed)
			return
		}
	case string:
		if replayed, ok := replayed.(string); ok {
			c.texts(at, recorded, replayed)
			return
		}
	}
	if at.isGenerated() && (recorded == nil) == (replayed == nil) {
		return
	}
	if !sameScalar(recorded, replayed) {
		c.Add(at.path, show(recorded), show(replayed))
	}
}

func (c *Comparison) objects(at valuePath, recorded, replayed map[string]any) {
	names := slices.Sorted(maps.Keys(recorded))
	for name := range replayed {
		if _, known := recorded[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c.values(at.member(name), recorded[name], replayed[name])
	}
}

func (c *Comparison) arrays(at valuePath, recorded, replayed []any) {
	if at.isSet(c.Operation) {
		recorded, replayed = c.unmatched(at, recorded, replayed)
	}
	for i := range max(len(recorded), len(replayed)) {
		var a, b any
		if i < len(recorded) {
			a = recorded[i]
		}
		if i < len(replayed) {
			b = replayed[i]
		}
		c.values(at.element(i), a, b)
	}
}

// unmatched returns the elements of two unordered arrays that have no equal in the other, sorted.
func (c *Comparison) unmatched(at valuePath, recorded, replayed []any) (restRecorded, restReplayed []any) {
	count := map[string]int{}
	for _, v := range replayed {
		count[c.canonical(at, v)]++
	}
	for _, v := range recorded {
		key := c.canonical(at, v)
		if count[key] > 0 {
			count[key]--
			continue
		}
		restRecorded = append(restRecorded, v)
	}
	for _, v := range replayed {
		key := c.canonical(at, v)
		if count[key] > 0 {
			count[key]--
			restReplayed = append(restReplayed, v)
		}
	}
	for _, rest := range [][]any{restRecorded, restReplayed} {
		slices.SortFunc(rest, func(a, b any) int { return strings.Compare(show(a), show(b)) })
	}
	return restRecorded, restReplayed
}

// canonical returns a text that is equal for elements that do not differ.
func (c *Comparison) canonical(at valuePath, v any) string {
	return show(normalize(at.element(0), v, c.Operation, c.Capacity))
}

// normalize returns a value without the parts that are not compared.
func normalize(at valuePath, v any, operation string, capacity bool) any {
	if at.ignored(capacity) || at.isGenerated() {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = normalize(at.member(name), member, operation, capacity)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = normalize(at.element(i), element, operation, capacity)
		}
		if at.isSet(operation) {
			slices.SortFunc(out, func(a, b any) int { return strings.Compare(show(a), show(b)) })
		}
		return out
	case string:
		return at.text(v)
	}
	return v
}

func (c *Comparison) texts(at valuePath, recorded, replayed string) {
	if recorded == replayed {
		return
	}
	same := at.text(recorded) == at.text(replayed)
	if (at.isGenerated() || same) && c.Learn != nil {
		c.Learn(recorded, replayed)
	}
	if !at.isGenerated() && !same {
		c.Add(at.path, show(recorded), show(replayed))
	}
}

// sameScalar compares numbers by value, and all other scalars exactly.
func sameScalar(recorded, replayed any) bool {
	a, ok := recorded.(json.Number)
	b, ok2 := replayed.(json.Number)
	if !ok || !ok2 || a == b {
		return show(recorded) == show(replayed)
	}
	x, err := strconv.ParseFloat(string(a), 64)
	y, err2 := strconv.ParseFloat(string(b), 64)
	return err == nil && err2 == nil && x == y
}

// show returns a value as JSON, or an empty string for nil.
func show(v any) string {
	if v == nil {
		return ""
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // impossible for a value that was read from JSON
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(out.String(), "\n")
}
