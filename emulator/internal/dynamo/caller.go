package dynamo

import "time"

// caller is one request under way: whose tables it sees, and what is noted of it until it is answered. Operations get it
// as their first argument. Its memory is used again for other requests: nothing of it may be kept.
type caller struct {
	*account
	event Event
}

// Event is an answered request, as those see it who observe the service: metrics, cost, recordings. Its memory, and all that
// it points to, is used again once the observers return.
type Event struct {
	Operation string // its name; empty when the request named none that is known
	Account   string // whose tables it was about; empty without isolation
	AccessKey string // that the request was signed with; nothing says that it is real unless identities are configured
	Start     time.Time
	Elapsed   time.Duration // of the machine's time
	Status    int           // of HTTP
	Error     string        // the type of the error without its namespace; empty for none
	Request   []byte        // the body, unpacked
	Answer    []byte        // the body
	Charges   []Charge      // what was consumed, whether the request succeeded or not
}

// Charge is what a request consumed of one table or index.
type Charge struct {
	Table string
	Index string // empty: the table itself
	Write bool   // write units, or else read units
	Units float64
}

// begin makes c the caller of another request.
func (c *caller) begin(a *account, operation string, who scope) {
	c.account = a
	c.event.Operation, c.event.Account, c.event.AccessKey = operation, a.name, who.accessKey
}

// note adds to what the request consumed of a table, or of an index of it.
func (c *caller) note(t *table, x *index, write bool, units float64) {
	charge := Charge{Table: t.def.Name, Write: write, Units: units}
	if x != nil {
		charge.Index = x.name
	}
	for i := range c.event.Charges {
		known := &c.event.Charges[i]
		if known.Table == charge.Table && known.Index == charge.Index && known.Write == write {
			known.Units += units
			return
		}
	}
	c.event.Charges = append(c.event.Charges, charge)
}
