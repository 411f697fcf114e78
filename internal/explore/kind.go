package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is a kind of mishap, by the name of the fault that causes it.
type Kind string

// The kinds.
const (
	LostResponse  Kind = "cut-after-commit"
	LostRequest   Kind = "cut-before-commit"
	Unprocessed   Kind = "unprocessed"
	ShortPage     Kind = "short-page"
	Redelivered   Kind = "redeliver"
	Stale         Kind = "stale"
	Conflict      Kind = "conflict"
	Throttle      Kind = "throttle"
	InternalError Kind = "internal-error"
	ClockJump     Kind = "clock-jump"
	Restart       Kind = "restart"
	ExpiredToken  Kind = "expired-token"
)

// kindsInOrder lists all kinds in the order in which they are tried, those that break programs most often first, with
// what they do to a request.
var kindsInOrder = []struct {
	kind   Kind
	effect string // in a sentence; %s is the request
	short  string // after the request's name
}{
	{LostResponse, "the response to %s is lost after the commit", "done, but its response is lost"},
	{Unprocessed, "%s leaves the last member of its batch unprocessed", "the last member of the batch is not processed"},
	{ShortPage, "%s returns a page of one item", "a page of one item"},
	{Redelivered, "%s returns records whose token leads to the same records again", "delivered, and once more afterwards"},
	{Stale, "%s reads an old state", "an old state"},
	{Conflict, "%s conflicts with another transaction", "refused: conflicts with another transaction"},
	{LostRequest, "the connection is cut before %s is done", "not done: the connection is cut"},
	{Throttle, "%s is throttled", "refused: throttled"},
	{InternalError, "%s fails with status 500", "refused: status 500"},
	{ClockJump, "an hour passes before %s", "an hour passes first"},
	{Restart, "the database restarts after %s: its response is lost, and all connections are cut",
		"done, then the database restarts: all connections are cut"},
	{ExpiredToken, "the credentials of %s have expired", "refused: its credentials have expired"},
}

// Kinds returns all kinds, in the order in which they are tried.
func Kinds() []Kind {
	all := make([]Kind, len(kindsInOrder))
	for i, k := range kindsInOrder {
		all[i] = k.kind
	}
	return all
}

// isDefault reports whether the kind is tried although the settings do not name it. Clients with permanent credentials,
// which most tests have, cannot survive ExpiredToken.
func (k Kind) isDefault() bool { return k != ExpiredToken }

// check returns an error for a name that is not one of Kinds.
func (k Kind) check() error {
	if !slices.Contains(Kinds(), k) {
		known := make([]string, len(kindsInOrder))
		for i, each := range Kinds() {
			known[i] = string(each)
		}
		return fmt.Errorf("unknown kind %q: use one of %s", string(k), strings.Join(known, ", "))
	}
	return nil
}

// sortKinds sorts kinds into the order in which they are tried.
func sortKinds(kinds []Kind) {
	order := Kinds()
	slices.SortFunc(kinds, func(a, b Kind) int { return slices.Index(order, a) - slices.Index(order, b) })
}

// short describes what happens to a request, after its name.
func (k Kind) short() string {
	for _, e := range kindsInOrder {
		if e.kind == k {
			return e.short
		}
	}
	return string(k)
}
