package apidocs

import (
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// pageView is the OpenAPI document in the form of the docs page.
type pageView struct {
	Title, Version, About, Server string
	Style                         template.CSS
	Groups                        []groupView
}

type groupView struct {
	Name       string
	Operations []operationView
}

type operationView struct {
	ID, Method, Path, Summary, Description, Access string
	Params, Fields                                 []fieldView
	Body, Example                                  string // JSON of the request and of the response
	Status                                         string // of Example
	Response                                       []fieldView
	CurlPath, CurlHeader                           string
}

type fieldView struct {
	Name, Kind, Description string
	Required                bool
}

func newPageView(doc *huma.OpenAPI, p Page) pageView {
	b := viewBuilder{doc.Components.Schemas, p.Access}
	view := pageView{Title: doc.Info.Title, Version: doc.Info.Version, About: doc.Info.Description,
		Style: template.CSS(styleText)}
	for _, tag := range p.Tags {
		group := groupView{Name: strings.ReplaceAll(tag, "-", " ")}
		for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
			item := doc.Paths[path]
			for _, op := range []*huma.Operation{item.Post, item.Get, item.Put, item.Patch, item.Delete} {
				if op != nil && slices.Contains(op.Tags, tag) {
					group.Operations = append(group.Operations, b.operation(op))
				}
			}
		}
		view.Groups = append(view.Groups, group)
	}
	return view
}

type viewBuilder struct {
	schemas huma.Registry
	access  func(*huma.Operation) (who, header string)
}

func (b viewBuilder) operation(op *huma.Operation) operationView {
	out := operationView{
		ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Description,
		CurlPath: op.Path,
	}
	if b.access != nil {
		out.Access, out.CurlHeader = b.access(op)
	}
	for _, p := range op.Parameters {
		out.Params = append(out.Params, fieldView{p.Name, b.kind(p.Schema), describe(p.Description, p.Schema), p.Required})
		if p.In == "path" {
			out.CurlPath = strings.ReplaceAll(out.CurlPath, "{"+p.Name+"}", fmt.Sprint(b.example(p.Schema)))
		}
	}
	if op.RequestBody != nil {
		schema := op.RequestBody.Content["application/json"].Schema
		out.Fields, out.Body = b.fields("", schema), b.exampleText(schema)
	}
	out.Status = fmt.Sprintf("%d %s", op.DefaultStatus, http.StatusText(op.DefaultStatus))
	if answer := op.Responses[fmt.Sprint(op.DefaultStatus)]; answer != nil && answer.Content["application/json"] != nil {
		schema := answer.Content["application/json"].Schema
		out.Response, out.Example = b.fields("", schema), b.exampleText(schema)
	}
	return out
}

// fields lists an object's fields, required ones first, with the fields of nested objects after theirs.
func (b viewBuilder) fields(prefix string, s *huma.Schema) []fieldView {
	s = b.resolve(s)
	if s.Type == huma.TypeArray {
		return b.fields(strings.TrimSuffix(prefix, ".")+"[].", s.Items)
	}
	var out []fieldView
	optional := slices.DeleteFunc(slices.Sorted(maps.Keys(s.Properties)), func(name string) bool {
		return slices.Contains(s.Required, name)
	})
	for _, name := range append(slices.Sorted(slices.Values(s.Required)), optional...) {
		property := s.Properties[name]
		out = append(out, fieldView{prefix + name, b.kind(property), describe("", property),
			slices.Contains(s.Required, name)})
		out = append(out, b.fields(prefix+name+".", property)...)
	}
	return out
}

func (b viewBuilder) resolve(s *huma.Schema) *huma.Schema {
	if s.Ref != "" {
		return b.schemas.SchemaFromRef(s.Ref)
	}
	return s
}

func (b viewBuilder) kind(s *huma.Schema) string {
	s = b.resolve(s)
	switch {
	case s.Type == huma.TypeArray:
		return "array of " + b.kind(s.Items)
	case s.Type == huma.TypeObject && len(s.Properties) == 0:
		return "map"
	case len(s.Enum) > 0:
		return enumText(s.Enum)
	}
	return s.Type
}

// enumText lists the values that a field may have.
func enumText(values []any) string {
	names := make([]string, len(values))
	for i, v := range values {
		if names[i] = fmt.Sprint(v); v == nil {
			names[i] = "null"
		}
	}
	return strings.Join(names, " or ")
}

// describe returns the description of a field, with its limits.
func describe(text string, s *huma.Schema) string {
	if text == "" {
		text = s.Description
	}
	var bounds []string
	if s.Minimum != nil && s.Maximum != nil {
		bounds = append(bounds, number(*s.Minimum)+" to "+number(*s.Maximum))
	}
	if s.MinItems != nil && s.MaxItems != nil {
		bounds = append(bounds, fmt.Sprintf("%d to %d items", *s.MinItems, *s.MaxItems))
	}
	if s.MaxLength != nil {
		bounds = append(bounds, fmt.Sprintf("up to %d characters", *s.MaxLength))
	}
	if s.Default != nil {
		bounds = append(bounds, fmt.Sprintf("default %v", s.Default))
	}
	if text != "" && len(bounds) > 0 {
		text += "; "
	}
	return text + strings.Join(bounds, ", ")
}

// number formats a limit.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// example returns a value from the examples in the schema.
func (b viewBuilder) example(s *huma.Schema) any {
	if s = b.resolve(s); len(s.Examples) > 0 {
		return s.Examples[0]
	}
	switch {
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == huma.TypeArray:
		return []any{b.example(s.Items)}
	case s.Type == huma.TypeObject:
		out := map[string]any{}
		for name, property := range s.Properties {
			out[name] = b.example(property)
		}
		return out
	case s.Type == huma.TypeBoolean:
		return true
	case s.Type == huma.TypeString:
		return "text"
	}
	return 1
}

func (b viewBuilder) exampleText(s *huma.Schema) string {
	text, _ := json.MarshalIndent(b.example(s), "", "  ") // maps, slices and plain values: cannot fail
	return string(text)
}
