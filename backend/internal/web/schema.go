package web

import "github.com/danielgtaylor/huma/v2"

// PatternSchema returns the schema of a string with a pattern; description states the pattern in words.
func PatternSchema(pattern, description, example string) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: pattern, PatternDescription: description, Description: description,
		Examples: []any{example},
	}
}

// EnumSchema returns the schema of a string that is one of these values; the first one is its example.
func EnumSchema[T ~string](values ...T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Examples: []any{string(values[0])}}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}
