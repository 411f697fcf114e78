package brewers

import "time"

// Kind is the kind of a deed.
type Kind int

// The kinds of deeds.
const (
	SignUp    Kind = iota // creates the profile
	Settle                // changes the name and the temperature in the profile
	PickUp                // registers a phone, or its new push token
	PutDown               // removes a phone
	Start                 // creates a batch
	TakeNote              // adds a note to it
	TakePhoto             // adds a photo to it
	Bottle                // moves it to stage 2
	MoveOn                // changes its status
	Remind                // sets a reminder
	Cancel                // cancels one, possibly while a scheduler is sending it
	FallDue               // nothing: a reminder falls due now, and its push goes to the current phones
	Share                 // makes a batch public, with a note
	Unshare               // makes it private again
	LookBack              // reads the batch's timeline
	LookAhead             // reads the upcoming reminders
	Peek                  // reads a stranger's batch, public or not
	TakeAway              // exports everything
	Leave                 // deletes everything
	kinds                 // number of kinds
)

// Deed is an action of a brewer. What it is about depends on its kind.
type Deed struct {
	At       time.Duration // relative to the start of the simulation
	Kind     Kind
	Batch    int           // index of the brewer's batch
	Reminder int           // index of the brewer's reminder
	Phone    int           // index of the brewer's phone
	Text     string        // note, message, name, token, status
	Due      time.Duration // of a reminder
}

// did returns the label under which the result counts a deed.
func (k Kind) did() string {
	return [kinds]string{
		SignUp: "sign-ups", Settle: "settings changes", PickUp: "phone registrations and token changes",
		PutDown: "phones removed", Start: "batches started", TakeNote: "notes", TakePhoto: "photos",
		Bottle: "batches bottled",
		MoveOn: "status changes", Remind: "reminders set", Cancel: "attempts to cancel reminders", Share: "batches shared",
		Unshare:  "batches unshared",
		LookBack: "timelines read", LookAhead: "reads of upcoming reminders", Peek: "reads of strangers' batches",
		TakeAway: "exports", Leave: "account deletions",
	}[k]
}
