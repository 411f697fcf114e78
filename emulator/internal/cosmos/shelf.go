package cosmos

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ChildSet is where the resources of a kind lie that a container, a database or a user holds and that do nothing by themselves:
// scripts, users, permissions, client encryption keys.
type ChildSet struct {
	kind            kind
	envelope        string // what a list of them is called
	prefix          []byte // of their keys in the store; behind it stands the id
	owner           string // the resource id of what holds them
	link            string // its _self
	rid             func(number uint64) string
	limit           int  // how many there may be; 0: any number
	fixedID         bool // a replace may not give another id
	hasCreationTime bool // _cts says when a resource was made
}

// ChildResource is such a resource.
type ChildResource struct {
	id      string
	number  uint64 // in its resource id
	etag    string
	created int64 // when it was created, in seconds; 0 of what older versions stored
	ts      int64
	body    doc.Value // as the client gave it
}

// The kinds of what a database holds, under partMeta; their names are the database's number, and of permissions the user's.
const (
	metaUser       = 'u'
	metaPermission = 'p'
)

// childSet is the one that the request's path goes to.
func (c *call) childSet() (*ChildSet, *Error) {
	switch c.route.kind {
	case kindUser:
		return c.database.users(), nil
	case kindPermission:
		return c.findPermissions()
	case kindEncryption:
		return c.database.encryptionKeys(), nil
	}
	return c.container.scripts(c.route.kind), nil
}

// users are a database's users.
func (d *database) users() *ChildSet {
	return &ChildSet{kind: kindUser, envelope: "Users", prefix: metaKey(metaUser, store.AppendUint32(nil, d.number)), owner: d.rid, link: d.link(),
		rid: d.userRID}
}

// userRID is the resource id of a user: the database's and four bytes, of which the highest bit tells it from a container's.
func (d *database) userRID(number uint64) string {
	raw := binary.BigEndian.AppendUint32(nil, d.number)
	return encodeRID(binary.BigEndian.AppendUint32(raw, uint32(number)&^containerBit))
}

// findPermissions finds the permissions of the user in the path.
func (c *call) findPermissions() (*ChildSet, *Error) {
	user, err := c.findChild(c.database.users(), c.route.id(1))
	if err != nil {
		return nil, err
	}
	if user == nil {
		return nil, ownerNotFound()
	}
	return c.database.permissions(user), nil
}

// permissions are the permissions of a user.
func (d *database) permissions(user *ChildResource) *ChildSet {
	users := d.users()
	owner := users.rid(user.number)
	raw, _ := decodeRID(owner)
	return &ChildSet{kind: kindPermission, envelope: "Permissions", prefix: d.permissionPrefix(user), owner: owner, link: users.self(user),
		rid: func(n uint64) string { return encodeRID(binary.LittleEndian.AppendUint64(slices.Clone(raw), n)) }}
}

func (d *database) permissionPrefix(user *ChildResource) []byte {
	return permissionKey(d.number, user.number, "")
}

// dropChildren removes what a database holds besides containers.
func (d *database) dropChildren(tx *store.Tx) error {
	var errs []error
	for _, kind := range []byte{metaUser, metaPermission, metaEncryption} {
		prefix := metaKey(kind, store.AppendUint32(nil, d.number))
		errs = append(errs, tx.DeleteRange(prefix, store.PrefixEnd(prefix)))
	}
	return errors.Join(errs...)
}

// self is a resource's _self.
func (s *ChildSet) self(r *ChildResource) string {
	return s.link + string(s.kind) + "/" + s.rid(r.number) + "/"
}

// resource is a resource as the service answers it.
func (s *ChildSet) resource(r *ChildResource) doc.Value {
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
	if s.hasCreationTime {
		v = v.With("_cts", doc.Number(float64(r.created)))
	}
	return v
}

func (s *ChildSet) key(id string) []byte { return append(slices.Clone(s.prefix), id...) }

func (r *ChildResource) record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "number", Value: doc.Number(float64(r.number))},
		doc.Member{Name: "etag", Value: doc.String(r.etag)},
		doc.Member{Name: "made", Value: doc.Number(float64(r.created))},
		doc.Member{Name: "ts", Value: doc.Number(float64(r.ts))},
		doc.Member{Name: "body", Value: r.body},
	))
}

func parseChild(value []byte) (*ChildResource, error) {
	v, err := doc.Parse(value)
	if err != nil {
		return nil, errors.Join(errors.New("a resource in the store cannot be read"), err)
	}
	body := v.Field("body")
	return &ChildResource{id: body.Field("id").Str(), number: uint64(v.Field("number").Float()), etag: v.Field("etag").Str(),
		created: int64(v.Field("made").Float()), ts: int64(v.Field("ts").Float()), body: body}, nil
}

// get is the resource of an id, or of a resource id; nil: none.
func (s *ChildSet) get(r *store.Reader, id string) (*ChildResource, error) {
	value, ok, err := r.Get(s.key(id))
	if err != nil {
		return nil, err
	}
	if ok {
		return parseChild(value)
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
func (s *ChildSet) all(r *store.Reader) ([]*ChildResource, error) {
	it := r.Iter(s.prefix, store.PrefixEnd(s.prefix), false)
	defer it.Close()
	var all []*ChildResource
	for it.Next() {
		one, err := parseChild(it.Value())
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, it.Close()
}

// findChild is get in a state of the store of its own.
func (c *call) findChild(s *ChildSet, id string) (one *ChildResource, err *Error) {
	problem := c.account.store.View(func(r *store.Reader) (err error) {
		one, err = s.get(r, id)
		return err
	})
	return one, c.account.internal(problem)
}

// existingChild is the resource of an id, which has to be there and as the request's If-Match wants it.
func (c *call) existingChild(s *ChildSet, r *store.Reader, id string) (*ChildResource, error) {
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

// changeChildren runs fn while nothing else changes the shelf.
func (c *call) changeChildren(s *ChildSet, fn func(tx *store.Tx) error) *Error {
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

// storeChild writes a resource: its etag and time are given here.
func (c *call) storeChild(tx *store.Tx, s *ChildSet, one *ChildResource) error {
	one.etag, one.ts = c.account.random.GUID().ETag(), c.account.now().Unix()
	return tx.Set(s.key(one.id), one.record())
}

// childBody is the request's body, checked.
func (c *call) childBody(s *ChildSet) (doc.Value, *Error) {
	v, err := c.object()
	if err != nil {
		return v, err
	}
	v = withoutSystem(v).Without("_token").Without("_permissions").Without("_cts")
	if err := checkID(v.Field("id")); err != nil {
		return v, err
	}
	return v, c.checkChild(s.kind, v)
}

// checkChild checks what a client gave for a resource of a kind.
func (c *call) checkChild(k kind, v doc.Value) *Error {
	switch k {
	case kindPermission:
		return c.checkPermission(v)
	case kindEncryption:
		return checkEncryptionKey(v)
	case kindTrigger:
		return checkTrigger(v)
	case kindProcedure, kindUDF:
		return checkScript(v)
	}
	return nil
}

// replyChild answers a resource.
func (c *call) replyChild(status int, s *ChildSet, one *ChildResource) *Error {
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
