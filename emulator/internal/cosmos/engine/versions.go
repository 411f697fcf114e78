package engine

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// A container with a changeFeedPolicy keeps all versions of its items, including deletes, in a log, for the retention
// of the policy. All changes of an item in one transaction are one version.

// errLogStarted is the error for a write that began before its container kept versions.
var errLogStarted = errors.New("the container began to retain versions during the write")

// Version is a change in the log of versions.
type Version struct {
	Item        *Item // the item; for a delete, the last item, with its partition key as the body
	Kind        changelog.Kind
	rid         uint64
	LSN         uint64 // of the change
	PreviousLSN uint64 // the LSN of the previous change; 0: none
	Timestamp   int64
	Expired     bool // it was deleted because its time to live had passed
}

// logVersions appends the changed items to the container's log, consecutively.
func (t *Transaction) logVersions() error {
	if t.log == nil || t.Definition.Retention == 0 {
		return nil
	}
	var all []*changelog.Record
	for _, change := range t.Changes {
		if change.changed() {
			all = t.appendVersions(all, change)
		}
	}
	t.trimDue = t.Now + int64(t.Definition.Retention/time.Second)
	_, err := t.log.Append(t.Tx.Tx, all...)
	return err
}

// appendVersions appends the versions of one change.
func (t *Transaction) appendVersions(all []*changelog.Record, change *Change) []*changelog.Record {
	if change.stored != nil && (change.New == nil || change.old == nil) {
		all = append(all, t.deletionRecord(change))
	}
	if change.New == nil {
		return all
	}
	r := &changelog.Record{Kind: changelog.Insert, Key: versionMetadata(change.New.RID, change.lsn, 0, t.Now),
		New: change.New.appendTo(nil)}
	if change.old != nil {
		r.Kind, r.Key = changelog.Modify, versionMetadata(change.New.RID, change.lsn, change.old.LSN, t.Now)
	}
	return append(all, r)
}

// deletionRecord returns the version of an item that was deleted or has expired.
func (t *Transaction) deletionRecord(change *Change) *changelog.Record {
	deleted := *change.stored
	deleted.Body = DeletedBody(&t.Definition.Key, t.Key)
	return &changelog.Record{Kind: changelog.Remove, ByService: change.old == nil,
		Key: versionMetadata(deleted.RID, change.lsn, deleted.LSN, t.Now), Old: deleted.appendTo(nil)}
}

// DeletedBody returns the body of the version of a deleted item: its partition key, by the paths.
func DeletedBody(def *doc.PartitionKeyDefinition, key doc.PartitionKey) []byte {
	names := make([]doc.Member, len(key))
	for i, v := range key {
		names[i] = doc.Member{Name: def.Paths[i][1:], Value: v}
	}
	return doc.Append(nil, doc.Object(names...))
}

// versionMetadata returns the metadata of a version that is not part of the item.
func versionMetadata(rid, lsn, before uint64, ts int64) []byte {
	key := binary.BigEndian.AppendUint64(nil, rid)
	key = binary.BigEndian.AppendUint64(key, lsn)
	key = binary.BigEndian.AppendUint64(key, before)
	return binary.BigEndian.AppendUint64(key, uint64(ts))
}

// ReadVersion parses a version that appendVersions has written. The result aliases r.
func ReadVersion(r changelog.Record) (*Version, error) {
	if len(r.Key) != 32 {
		return nil, ErrItem
	}
	v := &Version{Kind: r.Kind, Expired: r.ByService, rid: binary.BigEndian.Uint64(r.Key),
		LSN:         binary.BigEndian.Uint64(r.Key[8:]),
		PreviousLSN: binary.BigEndian.Uint64(r.Key[16:]), Timestamp: int64(binary.BigEndian.Uint64(r.Key[24:]))}
	image := r.New
	if r.Kind == changelog.Remove {
		image = r.Old
	}
	var err error
	v.Item, err = ReadItem(v.rid, image)
	return v, err
}

// trim deletes the versions whose retention has passed and sets the timer for the next ones.
func (s *State) trim() { s.whileServing(s.trimVersions) }

func (s *State) trimVersions() {
	s.trimTimer.Stop()
	var errs []error
	s.eachRetention(func(log *changelog.Log, retention time.Duration) {
		errs = append(errs, log.Trim(changelog.At(s.Now().Add(-retention))))
	})
	if err := errors.Join(append(errs, s.scheduleTrimming())...); err != nil {
		s.Log.Error("Cosmos DB: old versions could not be removed", "error", err)
	}
}

// scheduleTrimming sets the timer for the first version whose retention ends.
func (s *State) scheduleTrimming() error {
	var errs []error
	s.eachRetention(func(log *changelog.Log, retention time.Duration) {
		first, ok, err := log.First()
		if errs = append(errs, err); ok {
			s.trimTimer.ScheduleAt(first.Time().Add(retention).Unix() + 1)
		}
	})
	return errors.Join(errs...)
}

// eachRetention visits the logs whose records are removed after some time.
func (s *State) eachRetention(visit func(log *changelog.Log, retention time.Duration)) {
	for _, d := range s.Catalog.Databases() {
		for _, c := range s.Catalog.allContainers(d) {
			if retention := c.Definition.Load().Retention; retention > 0 {
				visit(c.Log, retention)
			}
			if c.History != nil {
				visit(c.History, s.BackupPeriod+BackupSlack)
			}
		}
	}
}
