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
// permissions continue with the number of the user.
const (
	metaUser       = keyspace.CatalogUser
	metaPermission = keyspace.CatalogPermission
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
	value, ok, err := r.Get(s.Key(id))
	if err != nil {
		return nil, err
	}
	if ok {
		return ParseChildResource(value)
	}
	if _, byRID := wire.DecodeRID(id); !byRID {
		return nil, nil
	}
	all, err := s.All(r)
	for _, child := range all {
		if s.formatRID(child.Number) == id {
			return child, err
		}
	}
	return nil, err
}

// All returns all resources, sorted by id.
func (s *ChildSet) All(r *store.Reader) ([]*ChildResource, error) {
	it := r.Iter(s.Prefix, store.PrefixEnd(s.Prefix), false)
	defer it.Close()
	var all []*ChildResource
	for it.Next() {
		child, err := ParseChildResource(it.Value())
		if err != nil {
			return nil, err
		}
		all = append(all, child)
	}
	return all, it.Close()
}
