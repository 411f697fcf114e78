package cosmos

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// A container whose changeFeedPolicy asks for it keeps all versions of its items, and their deletions, in a log: for as long as
// the policy says. What one transaction makes of an item is one version.

// logBit is set in the numbers of containers' logs, which they share with those of DynamoDB's tables.
const logBit = 1 << 31

// errUnlogged is a write that began before its container kept versions.
var errUnlogged = errors.New("the container keeps versions since just now")

// maxRetention is the longest time in minutes for which versions are kept: as long as continuous backups are, 30 days.
const maxRetention = 30 * 24 * 60

// parseRetention reads a changeFeedPolicy: {"retentionDuration": minutes}; 0, null and nothing are none.
func parseRetention(policy doc.Value) (time.Duration, *Error) {
	minutes := policy.Field("retentionDuration")
	if policy.Kind() > doc.Null && policy.Kind() != doc.Map {
		return 0, invalidInput("The changeFeedPolicy must be an object.")
	}
	n := minutes.Float()
	if minutes.Kind() > doc.Null && (minutes.Kind() != doc.Numeric || n != math.Trunc(n) || n < 0 || n > maxRetention) {
		return 0, invalidInput("The retentionDuration of a changeFeedPolicy must be a whole number of minutes up to %d.", maxRetention)
	}
	return time.Duration(n) * time.Minute, nil
}

// version is a change as it is kept.
type version struct {
	item    *item // as it is, or as it was when it was deleted: then its body is its partition key
	kind    changelog.Kind
	rid     uint64
	lsn     uint64 // of the change
	before  uint64 // the number of the change before it; 0: none
	ts      int64
	expired bool // it was deleted, for its time was over
}

// keepVersions appends what became of the items to the container's log, all in a row.
func (t *transaction) keepVersions() error {
	if t.log == nil || t.definition.retention == 0 {
		return nil
	}
	var all []*changelog.Record
	for _, one := range t.changes {
		if one.changed() {
			all = t.appendVersions(all, one)
		}
	}
	t.trims = t.now + int64(t.definition.retention/time.Second)
	_, err := t.log.Append(t.tx.Tx, all...)
	return err
}

// appendVersions appends what became of an item.
func (t *transaction) appendVersions(all []*changelog.Record, one *change) []*changelog.Record {
	if one.stored != nil && (one.new == nil || one.old == nil) {
		all = append(all, t.deletion(one))
	}
	if one.new == nil {
		return all
	}
	r := &changelog.Record{Kind: changelog.Insert, Key: versionKey(one.new.rid, one.lsn, 0, t.now), New: one.new.appendTo(nil)}
	if one.old != nil {
		r.Kind, r.Key = changelog.Modify, versionKey(one.new.rid, one.lsn, one.old.lsn, t.now)
	}
	return append(all, r)
}

// deletion is the version of an item that is deleted, or whose time was over.
func (t *transaction) deletion(one *change) *changelog.Record {
	names := make([]doc.Member, len(t.key))
	for i, v := range t.key {
		names[i] = doc.Member{Name: t.definition.key.Paths[i][1:], Value: v}
	}
	gone := *one.stored
	gone.body = doc.Append(nil, doc.Object(names...))
	return &changelog.Record{Kind: changelog.Remove, ByService: one.old == nil,
		Key: versionKey(gone.rid, one.lsn, gone.lsn, t.now), Old: gone.appendTo(nil)}
}

// versionKey is what is known of a version beside the item.
func versionKey(rid, lsn, before uint64, ts int64) []byte {
	key := binary.BigEndian.AppendUint64(nil, rid)
	key = binary.BigEndian.AppendUint64(key, lsn)
	key = binary.BigEndian.AppendUint64(key, before)
	return binary.BigEndian.AppendUint64(key, uint64(ts))
}

// readVersion reads what keepVersion has written, whose bytes it shares.
func readVersion(r changelog.Record) (*version, error) {
	if len(r.Key) != 32 {
		return nil, errItem
	}
	v := &version{kind: r.Kind, expired: r.ByService, rid: binary.BigEndian.Uint64(r.Key), lsn: binary.BigEndian.Uint64(r.Key[8:]),
		before: binary.BigEndian.Uint64(r.Key[16:]), ts: int64(binary.BigEndian.Uint64(r.Key[24:]))}
	image := r.New
	if r.Kind == changelog.Remove {
		image = r.Old
	}
	var err error
	v.item, err = readItem(v.rid, image)
	return v, err
}

// trim removes the versions that are no longer kept, and sets the timer for the next ones.
func (s *state) trim() { s.whileServing(s.trimVersions) }

func (s *state) trimVersions() {
	s.trimming.Stop()
	var errs []error
	for _, d := range s.catalog.all() {
		for _, c := range s.catalog.containersOf(d) {
			if retention := c.definition.Load().retention; retention > 0 {
				errs = append(errs, c.log.Trim(changelog.At(s.now().Add(-retention))))
			}
		}
	}
	if err := errors.Join(append(errs, s.scheduleTrimming())...); err != nil {
		s.log.Error("Cosmos DB: old versions could not be removed", "error", err)
	}
}

// scheduleTrimming sets the timer for the first version that is no longer kept.
func (s *state) scheduleTrimming() error {
	for _, d := range s.catalog.all() {
		for _, c := range s.catalog.containersOf(d) {
			retention := c.definition.Load().retention
			if retention == 0 {
				continue
			}
			first, ok, err := c.log.First()
			if err != nil {
				return err
			}
			if ok {
				s.trimming.Notice(first.Time().Add(retention).Unix() + 1)
			}
		}
	}
	return nil
}
