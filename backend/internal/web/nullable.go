package web

import (
	"slices"
	"strings"
)

// documentNulls documents what huma does: null for an optional member of a request body is the same as leaving it out.
// It changes the schemas that requests use, and no schema that only responses use.
func documentNulls(spec map[string]any) {
	walk := &schemaWalker{spec: spec, seen: map[string]bool{}}
	for _, path := range object(spec["paths"]) {
		for _, operation := range object(path) {
			content := object(object(object(operation)["requestBody"])["content"])
			for _, media := range content {
				walk.schema(object(media)["schema"])
			}
		}
	}
}

type schemaWalker struct {
	spec map[string]any
	seen map[string]bool // references already followed
}

// schema visits the schemas that a schema refers to, its elements and its members.
func (n *schemaWalker) schema(v any) {
	s := object(v)
	if ref, ok := s["$ref"].(string); ok && !n.seen[ref] {
		n.seen[ref] = true
		n.schema(n.resolve(ref))
	}
	if items, ok := s["items"]; ok {
		n.schema(items)
	}
	if values, ok := s["additionalProperties"].(map[string]any); ok {
		n.schema(values)
	}
	required, _ := s["required"].([]any)
	properties := object(s["properties"])
	for name, property := range properties {
		n.schema(property)
		if !slices.Contains(required, any(name)) {
			properties[name] = nullable(object(property))
		}
	}
}

// resolve returns the target of a reference such as #/components/schemas/Device.
func (n *schemaWalker) resolve(ref string) any {
	at := any(n.spec)
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at = object(at)[part]
	}
	return at
}

// nullable returns a schema that also accepts null.
func nullable(s map[string]any) map[string]any {
	if _, ok := s["$ref"]; ok {
		return map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
	}
	if kind, ok := s["type"].(string); ok {
		s["type"] = []any{kind, "null"}
	}
	if values, ok := s["enum"].([]any); ok {
		s["enum"] = append(values, nil)
	}
	return s
}

// object returns v as an object, and an empty one when it is not an object.
func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}
