package brewers

import "time"

// Kind is the kind of an action.
type Kind int

// The kinds of actions.
const (
	SignUp         Kind = iota // creates the profile
	ChangeSettings             // changes the name and the temperature in the profile
	RegisterPhone              // registers a phone, or its new push token
	RemovePhone                // removes a phone
	StartBatch                 // creates a batch
	AddNote                    // adds a note to it
	AddPhoto                   // adds a photo to it
	Bottle                     // moves it to stage 2
	ChangeStatus               // changes its status
	SetReminder                // sets a reminder
	CancelReminder             // cancels one, possibly while a scheduler is sending it
	ReminderDue                // nothing: a reminder falls due now, and its push goes to the current phones
	Share                      // makes a batch public, with a note
	Unshare                    // makes it private again
	ReadTimeline               // reads the batch's timeline
	ReadUpcoming               // reads the upcoming reminders
	ReadStranger               // reads a stranger's batch, public or not
	Export                     // exports everything
	DeleteAccount              // deletes everything
	kindCount                  // number of kinds
)

// Action is an action of a brewer. What it is about depends on its kind.
type Action struct {
	At       time.Duration // relative to the start of the simulation
	Kind     Kind
	Batch    int           // index of the brewer's batch
	Reminder int           // index of the brewer's reminder
	Phone    int           // index of the brewer's phone
	Text     string        // note, message, name, token, status
	Due      time.Duration // of a reminder
}

// label returns the label under which the result counts an action.
func (k Kind) label() string {
	return [kindCount]string{
		SignUp: "sign-ups", ChangeSettings: "settings changes", RegisterPhone: "phone registrations and token changes",
		RemovePhone: "phones removed", StartBatch: "batches started", AddNote: "notes", AddPhoto: "photos",
		Bottle:       "batches bottled",
		ChangeStatus: "status changes", SetReminder: "reminders set", CancelReminder: "attempts to cancel reminders",
		Share:        "batches shared",
		Unshare:      "batches unshared",
		ReadTimeline: "timelines read", ReadUpcoming: "reads of upcoming reminders",
		ReadStranger: "reads of strangers' batches",
		Export:       "exports", DeleteAccount: "account deletions",
	}[k]
}
