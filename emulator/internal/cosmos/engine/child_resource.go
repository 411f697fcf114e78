package engine

import (
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// ChildSet describes the resources of one kind that belong to a container, a database or a user: scripts, users,
// permissions, client encryption keys.
type ChildSet struct {
	Kind            wire.Kind
	ListName        string // the name of the list in a response
	Prefix          []byte // of the keys in the store; the id follows it
	numbersKey      []byte // of the block of free numbers
	ParentRID       string // the resource id of the parent
	parentLink      string // the _self of the parent
	formatRID       func(number uint64) string
	Limit           int  // the maximum number of resources; 0: no limit
	ImmutableID     bool // a replace may not change the id
	hasCreationTime bool // resources have a _cts, their creation time
}

// ChildResource is one resource of a ChildSet.
type ChildResource struct {
	ID        string
	Number    uint64 // part of its resource id
	ETag      string
	Created   int64 // creation time in Unix seconds; 0 if an older version of the emulator stored it
	Timestamp int64
	Body      doc.Value // as the client sent it
}

// The kinds of a database's child resources under partMeta. Their names begin with the number of the database; those of
// permissions continue with the number of the user. Those of free numbers continue with the kind, and for permissions
// with the number of the user.
const (
	metaUser       = keyspace.CatalogUser
	metaPermission = keyspace.CatalogPermission
	metaNumbers    = keyspace.CatalogNumbers
)

// selfLink returns the _self of a resource.
func (s *ChildSet) selfLink(r *ChildResource) string {
	return s.parentLink + string(s.Kind) + "/" + s.formatRID(r.Number) + "/"
}

// Resource returns a resource as the service returns it.
func (s *ChildSet) Resource(r *ChildResource) doc.Value {
	v := r.Body
	for _, m := range []doc.Member{
		{Name: "_rid", Value: doc.String(s.formatRID(r.Number))},
		{Name: "_self", Value: doc.String(s.selfLink(r))},
		{Name: "_etag", Value: doc.String(r.ETag)},
		{Name: "_ts", Value: doc.Number(float64(r.Timestamp))},
	} {
		v = v.With(m.Name, m.Value)
	}
	if s.Kind == wire.KindUser {
		v = v.With("_permissions", doc.String("permissions/"))
	}
	if s.hasCreationTime {
		v = v.With("_cts", doc.Number(float64(r.Created)))
	}
	return v
}

// Key returns the key of the resource with an id.
func (s *ChildSet) Key(id string) []byte { return append(slices.Clone(s.Prefix), id...) }

// Record returns the stored form of the resource.
func (r *ChildResource) Record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "number", Value: doc.Number(float64(r.Number))},
		doc.Member{Name: "etag", Value: doc.String(r.ETag)},
		doc.Member{Name: "made", Value: doc.Number(float64(r.Created))},
		doc.Member{Name: "ts", Value: doc.Number(float64(r.Timestamp))},
		doc.Member{Name: "body", Value: r.Body},
	))
}

// ParseChildResource parses the stored form that Record returns.
func ParseChildResource(value []byte) (*ChildResource, error) {
	v, err := doc.Parse(value)
	if err != nil {
		return nil, errors.Join(errors.New("a resource in the store cannot be read"), err)
	}
	body := v.Field("body")
	return &ChildResource{ID: body.Field("id").Str(), Number: uint64(v.Field("number").Float()),
		ETag:    v.Field("etag").Str(),
		Created: int64(v.Field("made").Float()), Timestamp: int64(v.Field("ts").Float()), Body: body}, nil
}

// Get returns the resource with an id or a resource id, or nil.
func (s *ChildSet) Get(r *store.Reader, id string) (*ChildResource, error) {
	child, err := s.ByID(r, id)
	if child != nil || err != nil {
		return child, err
	}
	if _, isRID := wire.DecodeRID(id); !isRID {
		return nil, nil
	}
	return s.Find(r, func(child *ChildResource) bool { return s.formatRID(child.Number) == id })
}

// ByID returns the resource with an id, or nil.
func (s *ChildSet) ByID(r *store.Reader, id string) (*ChildResource, error) {
	value, ok, err := r.Get(s.Key(id))
	if !ok || err != nil {
		return nil, err
	}
	return ParseChildResource(value)
}

// Find returns the first resource that matches, or nil.
func (s *ChildSet) Find(r *store.Reader, matches func(*ChildResource) bool) (*ChildResource, error) {
	it := s.Iter(r, "")
	defer it.Close()
	for {
		child, err := it.Next()
		if child == nil || err != nil || matches(child) {
			return child, err
		}
	}
}

// IsFull reports whether the set has the maximum number of resources.
func (s *ChildSet) IsFull(r *store.Reader) (bool, error) {
	if s.Limit == 0 {
		return false, nil
	}
	it := r.Iter(s.Prefix, store.PrefixEnd(s.Prefix), false)
	defer it.Close()
	n := 0
	for n < s.Limit && it.Next() {
		n++
	}
	return n == s.Limit, it.Close()
}

// ChildIter iterates over the resources of a set, sorted by id, and holds one at a time. It must be closed.
type ChildIter struct{ it store.Iter }

// Iter returns an iterator over the resources with ids after the given one; empty: over all.
func (s *ChildSet) Iter(r *store.Reader, after string) *ChildIter {
	low := s.Prefix
	if after != "" {
		low = append(s.Key(after), 0)
	}
	return &ChildIter{r.Iter(low, store.PrefixEnd(s.Prefix), false)}
}

// Next returns the next resource; nil: there is none.
func (i *ChildIter) Next() (*ChildResource, error) {
	if !i.it.Next() {
		return nil, i.it.Close()
	}
	return ParseChildResource(i.it.Value())
}

// Close ends the iteration. A second Close does nothing.
func (i *ChildIter) Close() { _ = i.it.Close() }
