package apidocs

import (
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// TestTypeDescriptions checks the descriptions of a field's type.
func TestTypeDescriptions(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]*huma.Schema{
		"string":                  {Type: huma.TypeString},
		"post or comment or null": {Type: huma.TypeString, Enum: []any{"post", "comment", nil}},
		"1 or 2":                  {Type: huma.TypeInteger, Enum: []any{1, 2}},
		"array of string":         {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}},
		"array of a b or c": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString,
			Enum: []any{"a b", "c"}}},
		"map": {Type: huma.TypeObject},
	} {
		if got := (viewBuilder{}).kind(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
