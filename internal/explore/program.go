package explore

import "context"

// Program is what is explored. Run is called from several goroutines at a time.
type Program interface {
	// Run runs the program once, on a database of its own, and makes the mishaps of the plan happen. An error, other than
	// that of the context, ends the search: it means that the program cannot be run at all. A program that fails is not an
	// error.
	Run(ctx context.Context, p Plan) (*Outcome, error)
}

// Outcome is how a run ended.
type Outcome struct {
	Passed   bool      `json:"passed"`
	Reason   string    `json:"reason,omitempty"` // why it did not pass, such as: exit status 1
	Output   string    `json:"output,omitempty"` // what the program printed, perhaps only the end of it
	Requests []Request `json:"requests"`         // what the database received, in order
}

// hit reports whether a mishap happened in the run.
func (o *Outcome) hit(m Mishap) bool {
	nth := 0
	for i := range o.Requests {
		if o.Requests[i].in(m.Target) {
			if nth++; nth == m.Nth {
				return o.Requests[i].Mishap == m.Do
			}
		}
	}
	return false
}
