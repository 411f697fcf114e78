package web

import "github.com/danielgtaylor/huma/v2"

// Text is the rule of a text that has a pattern, which description says in words.
func Text(pattern, description, example string) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: pattern, PatternDescription: description, Description: description,
		Examples: []any{example},
	}
}

// Choice is the rule of a text that is one of some values; the first one is its example.
func Choice[T ~string](values ...T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Examples: []any{string(values[0])}}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}
