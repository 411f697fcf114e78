package engine

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// The statuses of tables and indexes.
const (
	Creating = "CREATING"
	Updating = "UPDATING"
	Deleting = "DELETING"
	Active   = "ACTIVE"
)

// Status returns the status of a table that is in no transitional state.
func (t *Table) Status() string {
	switch {
	case t.Def.Archival != nil:
		return archived
	case t.Def.SSE != nil && t.Def.SSE.InaccessibleEncryptionDateTime != 0:
		return Inaccessible
	}
	return Active
}

const (
	Inaccessible = "INACCESSIBLE_ENCRYPTION_CREDENTIALS"
	archived     = "ARCHIVED"
)

// ErrStaleTable means that the table changed after an operation looked it up; the operation is retried.
var ErrStaleTable = errors.New("the table was changed meanwhile")

// CheckCurrent returns ErrStaleTable if the table was changed or deleted since it was looked up. A read calls it after
// reading, because the table or index that it read may have been deleted already.
func (t *Table) CheckCurrent() error {
	if t.stale.Load() {
		return ErrStaleTable
	}
	return nil
}

// Index returns the secondary index of that name.
func (t *Table) Index(name string) (*Index, bool) {
	for _, x := range t.Indexes {
		if x.Name == name {
			return x, true
		}
	}
	return nil, false
}

// HasLocalIndex reports whether the table has a local secondary index, and so item collections.
func (t *Table) HasLocalIndex() bool {
	return len(t.Def.Local) > 0
}

// AllStats returns the counts of a table and its indexes by id.
func (t *Table) AllStats() map[uint32]*Stats {
	all := map[uint32]*Stats{t.Def.ID: t.Stats}
	for _, x := range t.Indexes {
		all[x.ID] = x.Stats
	}
	for _, x := range t.Vectors {
		all[x.ID] = x.Stats
	}
	return all
}

// Key returns the store key of an item of the table.
func (t *Table) Key(it item.Value) []byte {
	dst := t.Keys.appendPartition(make([]byte, 0, 64), t.Def.ID, it)
	return appendKey(dst, t.Keys.Range, it)
}

// Key returns the store key of the index's entry for an item: the index's key, then the table's, which makes it unique.
func (x *Index) Key(t *Table, it item.Value) []byte {
	dst := x.Keys.appendPartition(make([]byte, 0, 128), x.ID, it)
	dst = appendKey(dst, x.Keys.Range, it)
	return appendKey(dst, t.Keys.all, it)
}

// CheckAvailable returns the error for item requests while the table's items are unavailable, nil otherwise.
func (t *Table) CheckAvailable() error {
	if t.Availability == nil {
		return nil
	}
	return t.Availability.Err()
}

// unavailable reports whether the table's items are unavailable.
func (t *Table) unavailable() bool { return t.Availability != nil && t.Availability.Unavailable() }

// locked reports whether no one, including the service itself, can read the table's items.
func (t *Table) locked() bool { return t.Availability != nil && t.Availability.Locked() }

// parsePolicies parses the resource policies of a definition. They were checked by PutResourcePolicy.
func (t *Table) parsePolicies() {
	for _, p := range []struct {
		from *ResourcePolicy
		to   **iam.Policy
	}{{t.Def.Policy, &t.Policy}, {t.Def.StreamPolicy, &t.StreamPolicy}} {
		if p.from == nil {
			continue
		}
		if policy, err := iam.Parse(iam.Resource, "the policy of "+t.Def.Name, []byte(p.from.Text)); err == nil {
			*p.to = policy
		}
	}
}
