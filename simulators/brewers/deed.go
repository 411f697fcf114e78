package brewers

import "time"

// Kind is what a brewer does at one moment.
type Kind int

// The kinds of deed.
const (
	SignUp    Kind = iota // writes the profile
	Settle                // writes the profile again, with another name and temperature
	PickUp                // registers a phone, or its new push token
	PutDown               // removes a phone
	Start                 // begins a batch
	TakeNote              // writes a note about it
	TakePhoto             // notes a photo of it
	Bottle                // moves it to stage 2
	MoveOn                // changes its status
	Remind                // sets a reminder
	Cancel                // cancels one; the schedulers may be at it in the same moment
	FallDue               // does nothing: a reminder is due now, and the phones of now are those that ring
	Share                 // makes a batch public, with a note
	Unshare               // makes it private again
	LookBack              // reads the batch's timeline
	LookAhead             // reads the reminders to come
	Peek                  // reads the batch of a stranger, public or not
	TakeAway              // exports everything
	Leave                 // deletes everything
	kinds                 // how many there are
)

// Deed is one thing that a brewer does. What it is about depends on its kind.
type Deed struct {
	At       time.Duration // since the start of the simulation
	Kind     Kind
	Batch    int           // which of the brewer's batches
	Reminder int           // which of the brewer's reminders
	Phone    int           // which of the brewer's phones
	Text     string        // note, message, name, token, status
	Due      time.Duration // of a reminder
}

// did is how the result counts a deed.
func (k Kind) did() string {
	return [kinds]string{
		SignUp: "brewers signed up", Settle: "changed their settings", PickUp: "phones registered, or their tokens changed",
		PutDown: "phones removed", Start: "batches begun", TakeNote: "notes", TakePhoto: "photos", Bottle: "batches bottled",
		MoveOn: "changes of status", Remind: "reminders set", Cancel: "reminders cancelled, or tried to", Share: "batches shared", Unshare: "batches made private again",
		LookBack: "timelines read", LookAhead: "reminders looked up", Peek: "looks at strangers' batches",
		TakeAway: "exports", Leave: "brewers left",
	}[k]
}
