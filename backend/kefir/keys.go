package kefir

import (
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Names of indexes.
const (
	indexGSI1   = "GSI1" // documented: batches by id, a user's reminders by time
	indexStatus = "GSI2" // added: batches by status
	indexDue    = "GSI3" // added: pending reminders by the hour in which they become due
)

// Keys as documented. No id contains the separator #: the rules for subjects, ids and device ids exclude it.
const (
	prefixUser     = "USER#"
	prefixBatch    = "BATCH#"
	prefixEvent    = "EVENT#"
	prefixReminder = "REMINDER#"
	prefixDevice   = "DEVICE#"
	prefixStatus   = "STATUS#"
	prefixDue      = "DUE#"
	prefixMarker   = "IDEM#" // added: markers of idempotency keys
	sortProfile    = "METADATA"

	attributeTTL = "ttl" // added: only markers expire

	// endOfPrefix sorts after every possible rest of a sort key (KF-D4).
	endOfPrefix = "\uffff"

	// bucketLayout is the hour of a partition of GSI3. An hour holds few enough reminders to avoid a hot partition, and
	// enough to avoid many empty reads.
	bucketLayout = "2006-01-02T15"
	bucketSpan   = time.Hour
)

func userPK[T ~string](user T) string { return prefixUser + string(user) }
func batchPK(id ID) string            { return prefixBatch + string(id) }
func batchSK(id ID) string            { return prefixBatch + string(id) }
func eventSK(at Moment, id ID) string { return prefixEvent + string(at) + "#" + string(id) }
func reminderSK(id ID) string         { return prefixReminder + string(id) }
func deviceSK(id DeviceID) string     { return prefixDevice + string(id) }
func statusSK(s Status, created Timestamp) string {
	return prefixStatus + string(s) + "#" + string(created)
}
func dueSK(at Timestamp) string { return prefixDue + string(at) }

// markerKey returns the key of an idempotency marker in its user's partition: it is deleted with the account.
func markerKey(user, hash string) ddb.Item { return key(userPK(user), prefixMarker+hash) }

// key returns the primary key of an item.
func key(pk, sk string) ddb.Item { return ddb.Item{"PK": ddb.Str(pk), "SK": ddb.Str(sk)} }

func userKey(user string) ddb.Item                { return key(userPK(user), sortProfile) }
func batchKey(user string, id ID) ddb.Item        { return key(userPK(user), batchSK(id)) }
func reminderKey(batch, id ID) ddb.Item           { return key(batchPK(batch), reminderSK(id)) }
func deviceKey(user string, id DeviceID) ddb.Item { return key(userPK(user), deviceSK(id)) }

func (b Batch) keys() statusKeys {
	return statusKeys{batchPK(b.BatchID), statusSK(b.Status, b.CreatedAt), prefixStatus + string(b.Status),
		string(b.CreatedAt) + "#" + string(b.BatchID)}
}

func (r Reminder) keys() *dueKeys {
	return &dueKeys{userPK(r.UserID), dueSK(r.DueAt), bucketOf(r.DueAt), string(r.DueAt) + "#" + string(r.ReminderID)}
}

// AddedKeys returns the keys of the 1.1.0 indexes that an item written under 1.0.0 lacks; none for an item that belongs
// to neither index or has its keys.
func AddedKeys(in ddb.Item) ddb.Item {
	added := ddb.Item{}
	switch sk := ddb.Text(in["SK"]); {
	case strings.HasPrefix(sk, prefixBatch):
		keys := batchOf(in).keys()
		added["GSI2PK"], added["GSI2SK"] = ddb.Str(keys.GSI2PK), ddb.Str(keys.GSI2SK)
	case strings.HasPrefix(sk, prefixReminder) && ReminderStatus(ddb.Text(in["status"])) == Pending:
		keys := reminderOf(in).keys()
		added["GSI3PK"], added["GSI3SK"] = ddb.Str(keys.GSI3PK), ddb.Str(keys.GSI3SK)
	}
	for name := range added {
		if _, exists := in[name]; exists {
			return ddb.Item{}
		}
	}
	return added
}

// bucketOf returns the GSI3 partition of a time: DUE# and its hour.
func bucketOf(at Timestamp) string { return prefixDue + string(at)[:min(len(at), len(bucketLayout))] }

func bucketAt(t time.Time) string { return prefixDue + t.UTC().Format(bucketLayout) }

// checkpointKey returns the key of the scheduler's checkpoint, an item of no user. It has no index keys.
func checkpointKey() ddb.Item { return key("SCHEDULER#reminders", sortProfile) }
