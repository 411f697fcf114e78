package testbinary

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tabletop-db/tabletop/internal/explore"
)

// message is what a worker tells its parent in a line. One without any field means that the worker is ready.
type message struct {
	Request *explore.Request `json:",omitempty"` // the database received it
	Passed  *bool            `json:",omitempty"` // the run has ended
}

// send writes a message as a line that begins with a mark. The test may have left the line before unfinished.
func (m message) send(w io.Writer, mark string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s%s\n", mark, text)
	return err
}

func encodePlan(p explore.Plan) string { return p.Text() + "\n" }

// decodePlan parses a line of encodePlan; an empty one is the plan without mishaps.
func decodePlan(line string) (explore.Plan, error) {
	if line == "\n" {
		return nil, nil
	}
	return explore.ParsePlan(line)
}
