package kefir

import (
	"strconv"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Conversion between the types of model.go and items, by dynamodbav tags, and the attributes that only items have. An
// unset field has no attribute, and a missing attribute leaves its field unset (KF-R7).

// primary is the primary key of an item.
type primary struct{ PK, SK string }

// statusKeys are a batch's keys in GSI1 and GSI2.
type statusKeys struct{ GSI1PK, GSI1SK, GSI2PK, GSI2SK string }

// dueKeys are a pending reminder's keys in GSI1 and GSI3.
type dueKeys struct{ GSI1PK, GSI1SK, GSI3PK, GSI3SK string }

func userItem(u User, set *Preferences) ddb.Item {
	return ddb.Marshal(struct {
		primary
		User
		Set *Preferences `dynamodbav:"preferences,omitempty"` // replaces the preferences that the API shows
	}{primary{userPK(u.UserID), sortProfile}, u, set})
}

func userOf(in ddb.Item) User {
	u := User{Preferences: defaultPreferences()}
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

// reminderItem returns the item of a reminder, with index keys only while it is pending (KF-D5).
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

// String formats the number with the fewest digits.
func (d Decimal) String() string { return strconv.FormatFloat(float64(d), 'f', -1, 64) }
