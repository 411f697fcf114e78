package replay

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Report is the result of a replay as a JSON file.
type Report struct {
	Recording string   `json:"recording"` // the file
	Target    string   `json:"target"`
	Summary   Summary  `json:"summary"`
	Error     string   `json:"error,omitempty"` // why it ended early
	Differ    []Result `json:"differ"`          // in the order of the recording, up to MaxResults of them
	Omitted   int      `json:"omitted"`         // number of other results that differ
}

// MaxResults is how many results a report keeps.
const MaxResults = 10_000

// maxShownValue is the length in bytes to which values are shortened in texts.
const maxShownValue = 120

// WriteText writes a result as text: a line for the request, and one for each difference.
func (r *Result) WriteText(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "#%d %s\n", r.N, r.Operation); err != nil {
		return err
	}
	width := 0
	for _, d := range r.Differences {
		width = max(width, len(d.Path))
	}
	for _, d := range r.Differences {
		if _, err := fmt.Fprintf(w, "  %-*s  %s → %s\n", width, d.Path, short(d.Recorded), short(d.Answered)); err != nil {
			return err
		}
	}
	return nil
}

// short returns a value shortened for a line.
func short(value string) string {
	if value == "" {
		return "nothing"
	}
	value = strings.ReplaceAll(value, "\n", " ")
	if len(value) <= maxShownValue {
		return value
	}
	end := maxShownValue
	for !utf8.RuneStart(value[end]) {
		end--
	}
	return value[:end] + "…"
}
