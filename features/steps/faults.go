package steps

import (
	"crypto/rand"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/emulator"
)

// faultPattern matches the requests that a fault applies to: the next one, the next n, every one, or every n-th.
const faultPattern = `^(the next(?: (\d+))?|every(?: (\d+)(?:st|nd|rd|th))?) ((?:[A-Z]\w+|request))(?: of "([^"]*)")? `

func (w *World) faultSteps() Group {
	set := func(f emulator.Fault) any {
		return func(how, next, nth, operation, table string) error {
			return w.addFault(f, parseFaultSchedule(how, next, nth), operation, table)
		}
	}
	lasting := func(do emulator.FaultAction) any {
		return func(how, next, nth, operation, table string, n int, unit string) error {
			return w.addFault(emulator.Fault{Do: do, Latency: DurationOf(n, unit)}, parseFaultSchedule(how, next, nth),
				operation, table)
		}
	}
	const span = `(\d+) (second|minute|hour)s?$`
	return Group{Title: "Faults",
		Intro: "Injects failures that occur in the cloud, into the requests of any client. A step begins with `the next`, `the next 3`, `every` or `every 3rd`, then names an operation or `request`, and can name a table. Needs @needs:commands. [Faults](faults.md) describes each fault.",
		Steps: []Step{
			{faultPattern + `(?:is|are) throttled$`, set(emulator.Fault{Do: emulator.DoThrottle}),
				`the next UpdateItem of "orders" is throttled`, "It is refused as if there were no capacity left."},
			{faultPattern + `fails? with an internal error$`, set(emulator.Fault{Do: emulator.DoInternalError}),
				`every 3rd request fails with an internal error`, "InternalServerError, status 500."},
			{faultPattern + `finds? the service unavailable$`, set(emulator.Fault{Do: emulator.DoUnavailable}),
				`the next 2 PutItem of "orders" find the service unavailable`, "Status 503."},
			{faultPattern + `loses? (?:its|their) connection before (?:it runs|they run)$`,
				set(emulator.Fault{Do: emulator.DoCutBeforeCommit}),
				`the next PutItem of "orders" loses its connection before it runs`,
				"The connection is closed and nothing is done."},
			{faultPattern + `loses? (?:its response|their responses)$`, set(emulator.Fault{Do: emulator.DoCutAfterCommit}),
				`the next UpdateItem of "orders" loses its response`,
				"The request takes effect, and the connection is closed without a response."},
			{faultPattern + `returns? data from a second ago$`, set(emulator.Fault{Do: emulator.DoStale}),
				`every GetItem of "orders" returns data from a second ago`,
				"Eventually consistent reads are stale; consistent ones are not."},
			{faultPattern + `(?:leaves?|leave) (\d+) of its items unprocessed$`,
				func(how, next, nth, operation, table string, members int) error {
					return w.addFault(emulator.Fault{Do: emulator.DoUnprocessed, Members: members}, parseFaultSchedule(how, next, nth),
						operation, table)
				}, `the next BatchWriteItem of "orders" leaves 2 of its items unprocessed`,
				"They are returned in UnprocessedItems or UnprocessedKeys."},
			{faultPattern + `waits? for ` + span, lasting(emulator.DoDelay), `every Query of "orders" waits for 2 seconds`,
				"It waits before it is processed, by the clock: if that stands still, until it is moved."},
			{faultPattern + `(?:is|are) held mid-transaction for ` + span, lasting(emulator.DoHold),
				`the next PutItem of "orders" is held mid-transaction for 1 minute`, "It waits while it holds its items: other requests for them conflict, if the emulator has the cloud behaviour conflicts."},
			{`^all faults are removed$`, w.removeFaults, `all faults are removed`,
				"Removes the faults that the scenario has set with these steps."},
			{`^(\d+) faults? occurred$`, w.faultsOccurred, `2 faults occurred`,
				"The number of requests to which a fault was applied."},
		}}
}

// faultSchedule is how often a fault applies: times in total, 0 for no limit, and to every every-th request, 0 for
// each.
type faultSchedule struct{ times, every int }

func parseFaultSchedule(how, next, nth string) faultSchedule {
	r := faultSchedule{Count(next), Count(nth)}
	if how == "the next" {
		r.times = 1
	}
	return r
}

// addFault sets a fault in the scenario's emulator.
func (w *World) addFault(f emulator.Fault, r faultSchedule, operation, table string) error {
	e, err := w.Emulator()
	if err != nil {
		return err
	}
	if operation != "request" {
		f.Operations = []string{operation}
	}
	if table != "" {
		f.Tables = []string{aws.ToString(w.Table(table))}
	}
	f.Times, f.Every, f.Name = r.times, r.every, "step-"+rand.Text()
	remove, err := e.Fail(f)
	w.faults = append(w.faults, setFault{f.Name, remove})
	return err
}

// setFault is a fault that a step has set in the scenario's emulator.
type setFault struct {
	name   string
	remove func()
}

// pendingFaults returns how many of the faults that are set have applied to no request, or to fewer than they were to.
func (w *World) pendingFaults() (n int) {
	if len(w.faults) == 0 {
		return 0
	}
	for _, f := range w.Target.Emulator.Faults() {
		isOurs := slices.ContainsFunc(w.faults, func(s setFault) bool { return s.name == f.Name })
		if isOurs && f.Hits < max(f.Times, 1) {
			n++
		}
	}
	return n
}

// removeFaults removes all faults; it keeps how many of them were not used.
func (w *World) removeFaults() {
	w.unusedFaults += w.pendingFaults()
	for _, f := range w.faults {
		f.remove()
	}
	w.faults = nil
}

func (w *World) faultsOccurred(want int) error {
	e, err := w.Emulator()
	if err != nil {
		return err
	}
	got := 0
	for _, f := range e.Faults() {
		got += f.Hits
	}
	return equal(got, want)
}
