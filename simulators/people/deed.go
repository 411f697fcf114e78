package people

import (
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
)

// Kind is what somebody does, or what happens to somebody, at one moment.
type Kind int

// The kinds of deed.
const (
	Tell      Kind = iota // something happens, and the service whose business it is enqueues an event for whom it concerns
	Look                  // opens the notification centre, reads the newest entry and sometimes dismisses the oldest
	ReadAll               // marks everything as read
	Fly                   // lands in another time zone
	Sleep                 // chooses other quiet hours
	Switch                // switches a category off, or on again
	PickUp                // installs the app on a phone, and registers it
	Renew                 // the push service has given the app another token
	PutDown               // revokes a phone
	Lose                  // the app is gone from a phone, of which nobody tells the backend
	PickUpAll             // all phones register at the same time
	kinds                 // how many there are
)

// Deed is one thing that is done. What it is about depends on its kind.
type Deed struct {
	At    time.Duration // since the start of the simulation
	Kind  Kind
	Phone int // which of the person's phones

	// For Tell alone:
	To    int // the number of whom it concerns
	Type  notification.EventType
	Times int // how many of them there are at once
	Key   int // the person's number for a dedupeKey; 0: none

	Choice uint64 // which of the zones, quiet hours or categories; whether something is dismissed
}

// did is how the result counts a deed.
func (k Kind) did() string {
	return [kinds]string{
		Tell: "things that happened", Look: "looks at the notification centre", ReadAll: "times that everything was marked as read",
		Fly: "flights", Sleep: "changes of quiet hours", Switch: "categories switched off or on", PickUp: "phones picked up",
		Renew: "push tokens renewed", PutDown: "phones put down", Lose: "phones lost", PickUpAll: "times that all phones were picked up at once",
	}[k]
}
