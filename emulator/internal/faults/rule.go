package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Action is the effect of a rule on a request.
type Action string

// The actions.
const (
	Throttle        Action = "throttle"          // refused with the service's exception for too many requests
	InternalError   Action = "internal-error"    // refused with status 500
	Unavailable     Action = "unavailable"       // refused with status 503
	Delay           Action = "delay"             // waits before anything is done
	Hold            Action = "hold"              // waits with its items in use: other requests for them conflict
	Stale           Action = "stale"             // an eventually consistent read returns an old state
	CutBeforeCommit Action = "cut-before-commit" // the connection is closed before anything is done
	CutAfterCommit  Action = "cut-after-commit"  // the connection is closed after everything is done: the response is lost
	Unprocessed     Action = "unprocessed"       // members of a batch are returned as unprocessed
	Conflict        Action = "conflict"          // refused as if another transaction used its items
	ShortPage       Action = "short-page"        // a page ends after one item, with a token for the rest
	Redeliver       Action = "redeliver"         // the next read of a stream returns the same records again
	ClockJump       Action = "clock-jump"        // the emulator's clock moves forward before anything is done
	ExpiredToken    Action = "expired-token"     // refused as if the caller's temporary credentials had expired
	Restart         Action = "restart"           // everything is done; then all connections end and all services start again
)

// Actions returns all actions.
func Actions() []Action {
	return []Action{Throttle, InternalError, Unavailable, Delay, Hold, Stale, CutBeforeCommit, CutAfterCommit, Unprocessed,
		Conflict, ShortPage, Redeliver, ClockJump, ExpiredToken, Restart}
}

// Rule makes requests fail or wait. The package documentation describes how its fields work together.
type Rule struct {
	Name string // unique; empty: one is generated

	Operations   []string
	Tables       []string
	PartitionKey string // a string, a number as the service writes it, or binary in base64
	SortKey      string // as PartitionKey
	Identities   []string

	Do         Action
	Latency    time.Duration // wait: the whole effect of Delay and Hold, or before other actions; the jump of ClockJump
	LatencyP99 time.Duration // if not 0, Latency is the median, and one request in a hundred waits longer than this
	RealTime   bool          // wait by the machine's clock, not the emulator's
	Members    int           // for Unprocessed: number of members
	Fraction   float64       // for Unprocessed: share of the members, rounded up

	Probability float64 // 0 means 1
	Skip        int
	Every       int       // 0 means 1
	Times       int       // 0: no limit
	From, Until time.Time // the window; zero: no bound
	For         time.Duration
}

// MaxLatency is the longest wait a rule can ask for.
const MaxLatency = 24 * time.Hour

// Check returns an error if a rule is invalid, in one line with the remedy.
func (r *Rule) Check() error {
	for _, check := range []func() error{r.checkAction, r.checkLatency, r.checkMembers, r.checkPatterns, r.checkCounts,
		r.checkWindow} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Rule) checkAction() error {
	if slices.Contains(Actions(), r.Do) {
		return nil
	}
	names := make([]string, 0, len(Actions()))
	for _, a := range Actions() {
		names = append(names, string(a))
	}
	list := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	if r.Do == "" {
		return fmt.Errorf("do is missing: use one of %s", list)
	}
	return fmt.Errorf("unknown do %q: use %s", string(r.Do), list)
}

func (r *Rule) checkLatency() error {
	switch {
	case r.Latency < 0 || r.Latency > MaxLatency:
		return fmt.Errorf("latency %v is out of range: use 0 to %v", r.Latency, MaxLatency)
	case r.LatencyP99 != 0 && (r.LatencyP99 < r.Latency || r.LatencyP99 > MaxLatency):
		return fmt.Errorf("latencyP99 %v is out of range: use latency (%v) to %v", r.LatencyP99, r.Latency, MaxLatency)
	case r.LatencyP99 != 0 && r.Latency == 0:
		return fmt.Errorf("latencyP99 requires latency, the median")
	case r.Latency == 0 && (r.Do == Delay || r.Do == Hold):
		return fmt.Errorf("latency is missing: set how long to %s, such as 200ms", r.Do)
	case r.Latency == 0 && r.Do == ClockJump:
		return fmt.Errorf("latency is missing: set how far the clock moves, such as 1h")
	case r.RealTime && r.Do == ClockJump:
		return fmt.Errorf("realTime cannot be combined with do: clock-jump, which waits for nothing: omit it")
	}
	return nil
}

func (r *Rule) checkMembers() error {
	given := r.Members != 0 || r.Fraction != 0
	switch {
	case given && r.Do != Unprocessed:
		return fmt.Errorf("members and fraction require do: unprocessed: omit them with do: %s", r.Do)
	case r.Members < 0 || !(r.Fraction >= 0 && r.Fraction <= 1): // includes NaN
		return fmt.Errorf("members %d, fraction %v: use 1 or more members, or a fraction from 0 to 1", r.Members, r.Fraction)
	case r.Members != 0 && r.Fraction != 0:
		return fmt.Errorf("members and fraction cannot be combined: use one of them")
	case !given && r.Do == Unprocessed:
		return fmt.Errorf("members is missing: set members or fraction, the part of the batch to leave unprocessed")
	}
	return nil
}

func (r *Rule) checkPatterns() error {
	for _, pattern := range slices.Concat(r.Operations, r.Tables, r.Identities) {
		if pattern == "" {
			return fmt.Errorf("a name is empty: use a name, in which * matches any characters, such as Put*")
		}
	}
	if r.SortKey != "" && r.PartitionKey == "" {
		return fmt.Errorf("sortKey requires partitionKey")
	}
	return nil
}

func (r *Rule) checkCounts() error {
	if !(r.Probability >= 0 && r.Probability <= 1) { // includes NaN
		return fmt.Errorf("probability %v is out of range: use more than 0, and at most 1", r.Probability)
	}
	if r.Skip < 0 || r.Every < 0 || r.Times < 0 {
		return fmt.Errorf("skip %d, every %d, times %d: use 0 or more", r.Skip, r.Every, r.Times)
	}
	return nil
}

func (r *Rule) checkWindow() error {
	switch {
	case r.For < 0:
		return fmt.Errorf("for %v is not positive: use a duration such as 10m", r.For)
	case r.For != 0 && !r.Until.IsZero():
		return fmt.Errorf("for and until cannot be combined: use one of them")
	case !r.Until.IsZero() && r.Until.Before(r.From):
		return fmt.Errorf("until %s is before from %s: use a later time", r.Until.Format(time.RFC3339),
			r.From.Format(time.RFC3339))
	}
	return nil
}

// refuses reports whether a request that the rule applies to is not run.
func (r *Rule) refuses() bool {
	switch r.Do {
	case Throttle, InternalError, Unavailable, CutBeforeCommit, Conflict, ExpiredToken:
		return true
	}
	return false
}
