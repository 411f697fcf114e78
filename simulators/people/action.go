package people

import (
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
)

// Kind is the kind of an action.
type Kind int

// The kinds of actions.
const (
	// something happens, and the responsible service enqueues an event for the person concerned
	Notify            Kind = iota
	OpenCentre             // opens the notification centre, reads the newest entry and sometimes dismisses the oldest
	ReadAll                // marks everything as read
	ChangeZone             // changes the time zone
	ChangeQuietHours       // changes the quiet hours
	ToggleCategory         // switches a category off or on
	RegisterPhone          // installs the app on a phone and registers it
	RenewToken             // registers the app's new push token
	RevokePhone            // revokes a phone
	UninstallApp           // removes the app from a phone without telling the backend
	RegisterAllPhones      // registers all phones concurrently
	kindCount              // number of kinds
)

// Action is an action. What it is about depends on its kind.
type Action struct {
	At    time.Duration // relative to the start of the simulation
	Kind  Kind
	Phone int // index of the person's phone

	// Only for Notify:
	To           int // number of the person concerned
	Type         notification.EventType
	Count        int // how many occur at once
	DedupeNumber int // the person's number for a dedupeKey; 0: none

	Random uint64 // selects the zone, the quiet hours or the category, or whether something is dismissed
}

// label returns the label under which the result counts an action.
func (k Kind) label() string {
	return [kindCount]string{
		Notify: "triggers of events", OpenCentre: "notification centre visits", ReadAll: "mark-all-as-read requests",
		ChangeZone: "time zone changes", ChangeQuietHours: "quiet hours changes", ToggleCategory: "category changes",
		RegisterPhone: "phone registrations",
		RenewToken:    "push token renewals", RevokePhone: "phone revocations", UninstallApp: "app removals",
		RegisterAllPhones: "concurrent registrations of all phones",
	}[k]
}
