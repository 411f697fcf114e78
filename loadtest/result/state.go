package result

import "strings"

// State is the verdict on a limit.
type State string

// The states of a verdict. A limit that could not be measured never counts as passed.
const (
	Pass        State = "pass"
	Fail        State = "fail"
	NotMeasured State = "not measured"
)

// Label returns the state as reports show it: PASS, FAIL or NOT MEASURED.
func (s State) Label() string { return strings.ToUpper(string(s)) }

// UnmarshalText reads a state. It also accepts the names in files of earlier versions: held, missed and unmeasured.
func (s *State) UnmarshalText(text []byte) error {
	switch string(text) {
	case "held":
		*s = Pass
	case "missed":
		*s = Fail
	case "unmeasured":
		*s = NotMeasured
	default:
		*s = State(text)
	}
	return nil
}
