package engine

import "github.com/tabletop-db/tabletop/emulator/internal/changelog"

// KinesisDestination is a Kinesis stream that receives, or received, a table's changes. It is immutable. At most one
// destination of a table is enabled.
type KinesisDestination struct {
	StreamARN string
	Precision string  // of times in records: MILLISECOND or MICROSECOND; empty: not set, which means MILLISECOND
	Change    string  // the last one: EnableDestination, UpdateDestination or DisableDestination
	Settled   float64 // when the last change is complete, in seconds since 1970
	Failure   string  // the reason why enabling failed; empty: it did not fail
	// Delivering means that there are, or may be, changes to deliver: those after Start and, unless End is 0, up to End.
	Delivering bool
	Start, End changelog.Position
}

// The changes of a destination.
const (
	EnableDestination  = "ENABLE"
	UpdateDestination  = "UPDATE"
	DisableDestination = "DISABLE"
)

// Status returns the status of a destination at a time, in seconds since 1970.
func (d *KinesisDestination) Status(now float64) string {
	switch {
	case now < d.Settled:
		return map[string]string{EnableDestination: "ENABLING", UpdateDestination: "UPDATING",
			DisableDestination: "DISABLING"}[d.Change]
	case d.Change == DisableDestination:
		return "DISABLED"
	case d.Failure != "":
		return "ENABLE_FAILED"
	}
	return Active
}

// Delivering returns the destination that receives changes, nil if there is none.
func (def *Definition) Delivering() *KinesisDestination {
	for i := range def.Destinations {
		if d := &def.Destinations[i]; d.Delivering {
			return d
		}
	}
	return nil
}
