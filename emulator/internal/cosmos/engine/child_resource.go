package engine

import (
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// ChildSet is where the resources of a kind lie that a container, a database or a user holds and that do nothing by
// themselves: scripts, users, permissions, client encryption keys.
type ChildSet struct {
	Kind            wire.Kind
	Envelope        string // what a list of them is called
	Prefix          []byte // of their keys in the store; behind it stands the id
	Owner           string // the resource id of what holds them
	link            string // its _self
	rid             func(number uint64) string
	Limit           int  // how many there may be; 0: any number
	FixedID         bool // a replace may not give another id
	hasCreationTime bool // _cts says when a resource was made
}

// ChildResource is such a resource.
type ChildResource struct {
	ID        string
	Number    uint64 // in its resource id
	ETag      string
	Created   int64 // when it was created, in seconds; 0 of what older versions stored
	Timestamp int64
	Body      doc.Value // as the client gave it
}

// The kinds of what a database holds, under partMeta; their names are the database's number, and of permissions the
// user's.
const (
	metaUser       = keyspace.CatalogUser
	metaPermission = keyspace.CatalogPermission
)

// self is a resource's _self.
func (s *ChildSet) self(r *ChildResource) string {
	return s.link + string(s.Kind) + "/" + s.rid(r.Number) + "/"
}

// Resource is a resource as the service answers it.
func (s *ChildSet) Resource(r *ChildResource) doc.Value {
	v := r.Body
	for _, m := range []doc.Member{
		{Name: "_rid", Value: doc.String(s.rid(r.Number))},
		{Name: "_self", Value: doc.String(s.self(r))},
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

// Key returns where the resource of an id lies.
func (s *ChildSet) Key(id string) []byte { return append(slices.Clone(s.Prefix), id...) }

// Record returns the resource as it is stored.
func (r *ChildResource) Record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "number", Value: doc.Number(float64(r.Number))},
		doc.Member{Name: "etag", Value: doc.String(r.ETag)},
		doc.Member{Name: "made", Value: doc.Number(float64(r.Created))},
		doc.Member{Name: "ts", Value: doc.Number(float64(r.Timestamp))},
		doc.Member{Name: "body", Value: r.Body},
	))
}

// ParseChildResource reads what Record has written.
func ParseChildResource(value []byte) (*ChildResource, error) {
	v, err := doc.Parse(value)
	if err != nil {
		return nil, errors.Join(errors.New("a resource in the store cannot be read"), err)
	}
	body := v.Field("body")
	return &ChildResource{ID: body.Field("id").Str(), Number: uint64(v.Field("number").Float()), ETag: v.Field("etag").Str(),
		Created: int64(v.Field("made").Float()), Timestamp: int64(v.Field("ts").Float()), Body: body}, nil
}

// Get is the resource of an id, or of a resource id; nil: none.
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
	for _, one := range all {
		if s.rid(one.Number) == id {
			return one, err
		}
	}
	return nil, err
}

// All are all resources, by their ids.
func (s *ChildSet) All(r *store.Reader) ([]*ChildResource, error) {
	it := r.Iter(s.Prefix, store.PrefixEnd(s.Prefix), false)
	defer it.Close()
	var all []*ChildResource
	for it.Next() {
		one, err := ParseChildResource(it.Value())
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, it.Close()
}
