// Package indented writes the JSON of reports, which people read too: the same way everywhere.
package indented

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a value as JSON with two spaces a level, and a line's end after it.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
