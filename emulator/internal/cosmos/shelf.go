package cosmos

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// shelf is where the resources of a kind lie that a container, a database or a user holds and that do nothing by themselves:
// scripts, users, permissions, client encryption keys.
type shelf struct {
	kind     kind
	envelope string // what a list of them is called
	prefix   []byte // of their keys in the store; behind it stands the id
	owner    string // the resource id of what holds them
	link     string // its _self
	rid      func(number uint64) string
	check    func(doc.Value) *Error
	most     int  // how many there may be; 0: any number
	named    bool // a replace may not give another id
	dated    bool // _cts says when a resource was made
}

// shelved is such a resource.
type shelved struct {
	id     string
	number uint64 // in its resource id
	etag   string
	made   int64 // when it was created, in seconds; 0 of what older versions stored
	ts     int64
	body   doc.Value // as the client gave it
}

// The kinds of what a database holds, under partMeta; their names are the database's number, and of permissions the user's.
const (
	metaUser       = keyspace.CatalogUser
	metaPermission = keyspace.CatalogPermission
)

// shelf is the one that the request's path goes to.
func (c *call) shelf() (*shelf, *Error) {
	switch c.route.kind {
	case kindUser:
		return c.database.users(), nil
	case kindPermission:
		return c.permissions()
	case kindEncryption:
		return c.database.encryptionKeys(), nil
	}
	return c.container.scripts(c.route.kind), nil
}

// users are a database's users.
func (d *database) users() *shelf {
	return &shelf{kind: kindUser, envelope: "Users", prefix: metaKey(metaUser, store.AppendUint32(nil, d.number)), owner: d.rid, link: d.link(),
		rid: d.userRID, check: func(doc.Value) *Error { return nil }}
}

// userRID is the resource id of a user: the database's and four bytes, of which the highest bit tells it from a container's.
func (d *database) userRID(number uint64) string {
	raw := binary.BigEndian.AppendUint32(nil, d.number)
	return encodeRID(binary.BigEndian.AppendUint32(raw, uint32(number)&^containerBit))
}

// permissions are those of the user in the path.
func (c *call) permissions() (*shelf, *Error) {
	users := c.database.users()
	user, err := c.findShelved(users, c.route.id(1))
	if err != nil {
		return nil, err
	}
	if user == nil {
		return nil, ownerNotFound()
	}
	owner := users.rid(user.number)
	raw, _ := decodeRID(owner)
	return &shelf{kind: kindPermission, envelope: "Permissions", prefix: c.database.permissionPrefix(user), owner: owner, link: users.self(user),
		rid: func(n uint64) string { return encodeRID(binary.LittleEndian.AppendUint64(slices.Clone(raw), n)) }, check: c.checkPermission}, nil
}

func (d *database) permissionPrefix(user *shelved) []byte {
	return permissionKey(d.number, user.number, "")
}

// dropShelved removes what a database holds besides containers.
func (d *database) dropShelved(tx *store.Tx) error {
	var errs []error
	for _, kind := range []byte{metaUser, metaPermission, metaEncryption} {
		prefix := metaKey(kind, store.AppendUint32(nil, d.number))
		errs = append(errs, tx.DeleteRange(prefix, store.PrefixEnd(prefix)))
	}
	return errors.Join(errs...)
}

// self is a resource's _self.
func (s *shelf) self(r *shelved) string { return s.link + string(s.kind) + "/" + s.rid(r.number) + "/" }

// resource is a resource as the service answers it.
func (s *shelf) resource(r *shelved) doc.Value {
	v := r.body
	for _, m := range []doc.Member{
		{Name: "_rid", Value: doc.String(s.rid(r.number))},
		{Name: "_self", Value: doc.String(s.self(r))},
		{Name: "_etag", Value: doc.String(r.etag)},
		{Name: "_ts", Value: doc.Number(float64(r.ts))},
	} {
		v = v.With(m.Name, m.Value)
	}
	if s.kind == kindUser {
		v = v.With("_permissions", doc.String("permissions/"))
	}
	if s.dated {
		v = v.With("_cts", doc.Number(float64(r.made)))
	}
	return v
}

func (s *shelf) key(id string) []byte { return append(slices.Clone(s.prefix), id...) }

func (r *shelved) record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "number", Value: doc.Number(float64(r.number))},
		doc.Member{Name: "etag", Value: doc.String(r.etag)},
		doc.Member{Name: "made", Value: doc.Number(float64(r.made))},
		doc.Member{Name: "ts", Value: doc.Number(float64(r.ts))},
		doc.Member{Name: "body", Value: r.body},
	))
}

func shelvedOf(value []byte) (*shelved, error) {
	v, err := doc.Parse(value)
	if err != nil {
		return nil, errors.Join(errors.New("a resource in the store cannot be read"), err)
	}
	body := v.Field("body")
	return &shelved{id: body.Field("id").Str(), number: uint64(v.Field("number").Float()), etag: v.Field("etag").Str(),
		made: int64(v.Field("made").Float()), ts: int64(v.Field("ts").Float()), body: body}, nil
}

// get is the resource of an id, or of a resource id; nil: none.
func (s *shelf) get(r *store.Reader, id string) (*shelved, error) {
	value, ok, err := r.Get(s.key(id))
	if err != nil {
		return nil, err
	}
	if ok {
		return shelvedOf(value)
	}
	if _, byRID := decodeRID(id); !byRID {
		return nil, nil
	}
	all, err := s.all(r)
	for _, one := range all {
		if s.rid(one.number) == id {
			return one, err
		}
	}
	return nil, err
}

// all are all resources, by their ids.
func (s *shelf) all(r *store.Reader) ([]*shelved, error) {
	it := r.Iter(s.prefix, store.PrefixEnd(s.prefix), false)
	defer it.Close()
	var all []*shelved
	for it.Next() {
		one, err := shelvedOf(it.Value())
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, it.Close()
}

// findShelved is get in a state of the store of its own.
func (c *call) findShelved(s *shelf, id string) (one *shelved, err *Error) {
	problem := c.account.store.View(func(r *store.Reader) (err error) {
		one, err = s.get(r, id)
		return err
	})
	return one, c.account.internal(problem)
}

// existing is the resource of an id, which has to be there and as the request's If-Match wants it.
func (c *call) existing(s *shelf, r *store.Reader, id string) (*shelved, error) {
	one, err := s.get(r, id)
	if err != nil {
		return nil, err
	}
	if one == nil {
		return nil, notFound(id)
	}
	if err := c.checkMatch(one.etag); err != nil {
		return nil, err
	}
	return one, nil
}

// change runs fn while nothing else changes the shelf.
func (c *call) change(s *shelf, fn func(tx *store.Tx) error) *Error {
	latches := store.Latch(s.prefix)
	if c.container != nil {
		latches = latches.Within(c.container.gate)
	}
	return c.account.internal(c.account.store.UpdateContext(c.ctx, latches, func(tx *store.Tx) error {
		if c.container != nil && c.container.gone.Load() {
			return ownerNotFound()
		}
		return fn(tx)
	}))
}

// shelve writes a resource: its etag and time are given here.
func (c *call) shelve(tx *store.Tx, s *shelf, one *shelved) error {
	one.etag, one.ts = c.account.random.guid().etag(), c.account.now().Unix()
	return tx.Set(s.key(one.id), one.record())
}

// shelvedBody is the request's body, checked.
func (c *call) shelvedBody(s *shelf) (doc.Value, *Error) {
	v, err := c.object()
	if err != nil {
		return v, err
	}
	v = withoutSystem(v).Without("_token").Without("_permissions").Without("_cts")
	if err := checkID(v.Field("id")); err != nil {
		return v, err
	}
	return v, s.check(v)
}

// replyShelved answers a resource.
func (c *call) replyShelved(status int, s *shelf, one *shelved) *Error {
	v := s.resource(one)
	if s.kind == kindPermission {
		var err *Error
		if v, err = c.withToken(v); err != nil {
			return err
		}
	}
	c.reply(status, v)
	return nil
}
