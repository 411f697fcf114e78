package kefir

import (
	"strconv"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// How the types of model.go and items become each other, by their dynamodbav tags, and what items have beyond them. An
// attribute that is unset is absent from the item, and one that an older item lacks is unset in the type (KF-R7).

// primary is the primary key of an item.
type primary struct{ PK, SK string }

// statusKeys put a batch into GSI1 and GSI2.
type statusKeys struct{ GSI1PK, GSI1SK, GSI2PK, GSI2SK string }

// dueKeys put a pending reminder into GSI1 and GSI3.
type dueKeys struct{ GSI1PK, GSI1SK, GSI3PK, GSI3SK string }

func userItem(u User, set *Preferences) ddb.Item {
	return ddb.Marshal(struct {
		primary
		User
		Set *Preferences `dynamodbav:"preferences,omitempty"` // replaces those that the API shows
	}{primary{userPK(u.UserID), sortProfile}, u, set})
}

func userOf(in ddb.Item) User {
	u := User{Preferences: defaults()}
	ddb.Unmarshal(in, &u)
	return u
}

func batchItem(b Batch) ddb.Item {
	return ddb.Marshal(struct {
		primary
		statusKeys
		Batch
	}{primary{userPK(b.UserID), batchSK(b.BatchID)}, b.keys(), b})
}

func batchOf(in ddb.Item) (b Batch) {
	ddb.Unmarshal(in, &b)
	return b
}

func eventItem(e Event) ddb.Item {
	return ddb.Marshal(struct {
		primary
		Event
	}{primary{batchPK(e.BatchID), eventSK(e.CreatedAt, e.EventID)}, e})
}

func eventOf(in ddb.Item) (e Event) {
	ddb.Unmarshal(in, &e)
	return e
}

// reminderItem has keys of the indexes only while it is pending (KF-D5).
func reminderItem(r Reminder) ddb.Item {
	var due *dueKeys
	if r.Status == Pending {
		due = r.keys()
	}
	return ddb.Marshal(struct {
		primary
		*dueKeys
		Reminder
	}{primary{batchPK(r.BatchID), reminderSK(r.ReminderID)}, due, r})
}

func reminderOf(in ddb.Item) (r Reminder) {
	ddb.Unmarshal(in, &r)
	return r
}

func deviceItem(d Device) ddb.Item {
	return ddb.Marshal(struct {
		primary
		Device
	}{primary{userPK(d.UserID), deviceSK(d.DeviceID)}, d})
}

func deviceOf(in ddb.Item) (d Device) {
	ddb.Unmarshal(in, &d)
	return d
}

// String is the number in as few digits as it has.
func (d Decimal) String() string { return strconv.FormatFloat(float64(d), 'f', -1, 64) }
