package access

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Values are the values in requests: of a path parameter or a member of a body, by its name, or of one operation only,
// by the operation's id, a dot and the name. Values that are not set default to the document's examples.
type Values map[string]any

func (v Values) lookup(operation, name string) (value any, own, found bool) {
	if value, found = v[operation+"."+name]; found {
		return value, true, true
	}
	value, found = v[name]
	return value, false, found
}

// request returns a request that is valid except for its credential. It leaves out optional values unless they are set
// for this operation. The returned path does not include the system's own.
func (o Operation) request(system string, values Values) (path string, body any) {
	path, query := strings.TrimPrefix(o.Path, system), url.Values{}
	for _, p := range o.parameters {
		value, own, found := values.lookup(o.ID, p.Name)
		if !found {
			value = o.example(p.Schema, values)
		}
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(value)))
		case p.In == "query" && (p.Required || own):
			query.Set(p.Name, fmt.Sprint(value))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	if o.body == nil {
		return path, nil
	}
	return path, o.example(o.body, values)
}

// example returns a value that the schema allows.
func (o Operation) example(schema map[string]any, values Values) any {
	schema = o.resolve(schema)
	for _, name := range []string{"examples", "enum"} {
		if some, ok := schema[name].([]any); ok && len(some) > 0 && schema["properties"] == nil {
			return some[0]
		}
	}
	kind, _ := schema["type"].(string)
	if several, ok := schema["type"].([]any); ok {
		kind, _ = several[0].(string)
	}
	switch kind {
	case "object":
		return o.members(schema, values)
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{o.example(items, values)}
	case "boolean":
		return true
	case "string":
		return "text"
	}
	return cmp.Or(schema["minimum"], any(1.0))
}

func (o Operation) members(schema map[string]any, values Values) map[string]any {
	out := map[string]any{}
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		value, own, found := values.lookup(o.ID, name)
		switch of, _ := property.(map[string]any); {
		case !own && !slices.Contains(required, any(name)):
		case found:
			out[name] = value
		default:
			out[name] = o.example(of, values)
		}
	}
	return out
}

// resolve follows references, and chooses the first of several schemas.
func (o Operation) resolve(schema map[string]any) map[string]any {
	for {
		if some, ok := schema["anyOf"].([]any); ok && len(some) > 0 {
			schema, _ = some[0].(map[string]any)
			continue
		}
		ref, ok := schema["$ref"].(string)
		if !ok {
			return schema
		}
		schema = o.document.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]]
	}
}
