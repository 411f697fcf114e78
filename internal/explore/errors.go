package explore

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoRequests reports a program that sends no request that a mishap can happen to.
var ErrNoRequests = errors.New("the program sent no request for items to the emulator: give its clients the address of " +
	"this emulator")

// ErrNoSuchMishaps reports a program to whose requests none of the kinds of the settings can happen.
var ErrNoSuchMishaps = errors.New("none of these mishaps can happen to the program's requests: choose other kinds")

// ErrNothingTried reports bounds that leave no run for a mishap.
var ErrNothingTried = errors.New("no mishap was tried")

// ErrNothingHappened reports a program that never sent the requests that mishaps were to happen to.
var ErrNothingHappened = errors.New("no mishap happened, because no run sent the requests of an earlier one: use the " +
	"same names of tables and containers in each run")

// FailsAloneError reports a program that fails without any mishap.
type FailsAloneError struct {
	Outcome *Outcome
	Run     int  // the run that failed, from 1
	Beside  bool // it failed beside another run, and not alone
}

// Cause says in one line how the program failed, and what to do.
func (e *FailsAloneError) Cause() string {
	switch {
	case e.Beside:
		return fmt.Sprintf("the program fails without mishaps beside another run of itself (%s): give each run its own "+
			"ports and files, or let one run at a time", e.Outcome.Reason)
	case e.Run > 1:
		return fmt.Sprintf("run %d without mishaps failed (%s): make the program pass every time first", e.Run,
			e.Outcome.Reason)
	}
	return fmt.Sprintf("the program fails without mishaps (%s): make it pass first", e.Outcome.Reason)
}

// Error returns the cause, and what the program printed.
func (e *FailsAloneError) Error() string {
	return strings.TrimRight(e.Cause()+"\n"+e.Outcome.Output, "\n")
}
