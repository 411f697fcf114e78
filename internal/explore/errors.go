package explore

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoRequests reports a program that sends no request that a mishap can happen to.
var ErrNoRequests = errors.New("the program sent no request for items to the emulator: give its clients the address of " +
	"this emulator")

// FailsAloneError reports a program that fails without any mishap.
type FailsAloneError struct {
	Outcome *Outcome
	Run     int // the run that failed, from 1
}

func (e *FailsAloneError) Error() string {
	text := fmt.Sprintf("the program fails without mishaps (%s): make it pass first", e.Outcome.Reason)
	if e.Run > 1 {
		text = fmt.Sprintf("run %d without mishaps failed (%s): make the program pass every time first", e.Run,
			e.Outcome.Reason)
	}
	return strings.TrimRight(text+"\n"+e.Outcome.Output, "\n")
}
