package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Difference is a place where two answers differ.
type Difference struct {
	Path     string `json:"path"`     // such as Item.total.N; "status" and "error" are the answer's own
	Recorded string `json:"recorded"` // as JSON; empty: absent
	Answered string `json:"answered"`
}

// comparison compares two bodies of answers.
type comparison struct {
	operation string
	capacity  bool // whether to compare consumed capacity
	found     []Difference
	learn     func(recorded, answered string) // called with values that the service generates, for later requests
}

// bodies compares two bodies. A body that is not JSON is compared as text.
func (c *comparison) bodies(recorded, answered []byte) {
	was, err := parse(recorded)
	is, err2 := parse(answered)
	if err != nil || err2 != nil {
		if !bytes.Equal(recorded, answered) {
			c.add("body", string(recorded), string(answered))
		}
		return
	}
	c.values(valuePath{}, was, is)
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

func (c *comparison) add(path, recorded, answered string) {
	c.found = append(c.found, Difference{path, recorded, answered})
}

// values compares the values at one place; nil means absent.
func (c *comparison) values(at valuePath, was, is any) {
	if at.ignored(c.capacity) {
		return
	}
	switch was := was.(type) {
	case map[string]any:
		if is, ok := is.(map[string]any); ok {
			c.objects(at, was, is)
			return
		}
	case []any:
		if is, ok := is.([]any); ok {
			c.arrays(at, was, is)
			return
		}
	case string:
		if is, ok := is.(string); ok {
			c.texts(at, was, is)
			return
		}
	}
	if at.isGenerated() && (was == nil) == (is == nil) {
		return
	}
	if !sameScalar(was, is) {
		c.add(at.path, show(was), show(is))
	}
}

func (c *comparison) objects(at valuePath, was, is map[string]any) {
	names := slices.Sorted(maps.Keys(was))
	for name := range is {
		if _, known := was[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c.values(at.member(name), was[name], is[name])
	}
}

func (c *comparison) arrays(at valuePath, was, is []any) {
	if at.isSet(c.operation) {
		was, is = c.unmatched(at, was, is)
	}
	for i := range max(len(was), len(is)) {
		var a, b any
		if i < len(was) {
			a = was[i]
		}
		if i < len(is) {
			b = is[i]
		}
		c.values(at.element(i), a, b)
	}
}

// unmatched returns the elements of two unordered arrays that have no equal in the other, sorted.
func (c *comparison) unmatched(at valuePath, was, is []any) (restWas, restIs []any) {
	count := map[string]int{}
	for _, v := range is {
		count[c.canonical(at, v)]++
	}
	for _, v := range was {
		key := c.canonical(at, v)
		if count[key] > 0 {
			count[key]--
			continue
		}
		restWas = append(restWas, v)
	}
	for _, v := range is {
		key := c.canonical(at, v)
		if count[key] > 0 {
			count[key]--
			restIs = append(restIs, v)
		}
	}
	for _, rest := range [][]any{restWas, restIs} {
		slices.SortFunc(rest, func(a, b any) int { return strings.Compare(show(a), show(b)) })
	}
	return restWas, restIs
}

// canonical returns a text that is equal for elements that do not differ.
func (c *comparison) canonical(at valuePath, v any) string {
	return show(normalize(at.element(0), v, c.operation, c.capacity))
}

// normalize returns a value without what is not compared.
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

func (c *comparison) texts(at valuePath, was, is string) {
	if was == is {
		return
	}
	same := at.text(was) == at.text(is)
	if (at.isGenerated() || same) && c.learn != nil {
		c.learn(was, is)
	}
	if !at.isGenerated() && !same {
		c.add(at.path, show(was), show(is))
	}
}

// sameScalar compares numbers by value, and all other scalars exactly.
func sameScalar(was, is any) bool {
	a, ok := was.(json.Number)
	b, ok2 := is.(json.Number)
	if !ok || !ok2 || a == b {
		return show(was) == show(is)
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
