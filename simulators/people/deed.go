package people

import (
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
)

// Kind is the kind of a deed.
type Kind int

// The kinds of deeds.
const (
	Tell      Kind = iota // something happens, and the responsible service enqueues an event for the person concerned
	Look                  // opens the notification centre, reads the newest entry and sometimes dismisses the oldest
	ReadAll               // marks everything as read
	Fly                   // changes the time zone
	Sleep                 // changes the quiet hours
	Switch                // switches a category off or on
	PickUp                // installs the app on a phone and registers it
	Renew                 // registers the app's new push token
	PutDown               // revokes a phone
	Lose                  // removes the app from a phone without telling the backend
	PickUpAll             // registers all phones concurrently
	kinds                 // number of kinds
)

// Deed is an action. What it is about depends on its kind.
type Deed struct {
	At    time.Duration // relative to the start of the simulation
	Kind  Kind
	Phone int // index of the person's phone

	// Only for Tell:
	To    int // number of the person concerned
	Type  notification.EventType
	Times int // how many occur at once
	Key   int // the person's number for a dedupeKey; 0: none

	Choice uint64 // selects the zone, the quiet hours or the category, or whether something is dismissed
}

// did returns the label under which the result counts a deed.
func (k Kind) did() string {
	return [kinds]string{
		Tell: "triggers of events", Look: "notification centre visits", ReadAll: "mark-all-as-read requests",
		Fly: "time zone changes", Sleep: "quiet hours changes", Switch: "category changes", PickUp: "phone registrations",
		Renew: "push token renewals", PutDown: "phone revocations", Lose: "app removals",
		PickUpAll: "concurrent registrations of all phones",
	}[k]
}
