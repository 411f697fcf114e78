// Package indented encodes the JSON of reports, which people read too, in one format.
package indented

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a value as JSON with two spaces per level and a newline at the end.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
