package engine

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// Client encryption: SDKs encrypt properties before they send them, by keys that a database keeps for them, wrapped by
// a key of a vault that the service never sees. A container's clientEncryptionPolicy says which properties and by which
// keys.

// metaEncryption is the kind of a client encryption key, under partMeta; its name is the database's number and its id.
const metaEncryption = keyspace.CatalogEncryptionKey

// EncryptionKeys are a database's client encryption keys. They are replaced, to be wrapped anew, and never deleted.
func (d *Database) EncryptionKeys() *ChildSet {
	return &ChildSet{Kind: wire.KindEncryption, Envelope: "ClientEncryptionKeys", Prefix: metaKey(metaEncryption, store.AppendUint32(nil, d.number)), Owner: d.RID,
		link: d.Link(), rid: d.encryptionRID, FixedID: true, hasCreationTime: true}
}

// encryptionTag is what the resource id of a client encryption key ends with (ResourceId of the .NET SDK).
const encryptionTag = 2

// encryptionRID is the resource id of a client encryption key: the database's, no container and no user, a number and
// the tag.
func (d *Database) encryptionRID(number uint64) string {
	raw := binary.BigEndian.AppendUint32(nil, d.number)
	raw = binary.LittleEndian.AppendUint32(append(raw, 0, 0, 0, 0), uint32(number))
	return wire.EncodeRID(binary.LittleEndian.AppendUint32(raw, encryptionTag))
}

// PermissionKey is where the permission of an id lies that the user of a database has.
func PermissionKey(database uint32, user uint64, id string) []byte {
	return append(metaKey(metaPermission, store.AppendUint64(store.AppendUint32(nil, database), user)), id...)
}

// letterScript is what scripts lie under in a container; behind it the kind's first letter and the id.
const letterScript = keyspace.ContainerScript

// How many scripts a container may have ("Azure Cosmos DB service quotas", per-container limits).
const (
	maxProcedures = 100
	MaxFunctions  = 50
)

// Scripts are a container's scripts of a kind.
func (c *Container) Scripts(k wire.Kind) *ChildSet {
	s := &ChildSet{Kind: k, Prefix: append(c.Key(letterScript, 1), k[0]), Owner: c.RID, link: c.Link()}
	tag := byte(wire.RIDProcedure)
	switch k {
	case wire.KindProcedure:
		s.Envelope, s.Limit = "StoredProcedures", maxProcedures
	case wire.KindTrigger:
		s.Envelope, tag = "Triggers", wire.RIDTrigger
	case wire.KindUDF:
		s.Envelope, s.Limit, tag = "UserDefinedFunctions", MaxFunctions, wire.RIDUDF
	}
	s.rid = func(n uint64) string { return c.ChildRID(tag, n) }
	return s
}

// Users are a database's users.
func (d *Database) Users() *ChildSet {
	return &ChildSet{Kind: wire.KindUser, Envelope: "Users", Prefix: metaKey(metaUser, store.AppendUint32(nil, d.number)), Owner: d.RID, link: d.Link(),
		rid: d.userRID}
}

// userRID is the resource id of a user: the database's and four bytes, of which the highest bit tells it from a
// container's.
func (d *Database) userRID(number uint64) string {
	raw := binary.BigEndian.AppendUint32(nil, d.number)
	return wire.EncodeRID(binary.BigEndian.AppendUint32(raw, uint32(number)&^wire.ContainerBit))
}

// Permissions are the permissions of a user.
func (d *Database) Permissions(user *ChildResource) *ChildSet {
	users := d.Users()
	owner := users.rid(user.Number)
	raw, _ := wire.DecodeRID(owner)
	return &ChildSet{Kind: wire.KindPermission, Envelope: "Permissions", Prefix: d.PermissionPrefix(user), Owner: owner, link: users.self(user),
		rid: func(n uint64) string { return wire.EncodeRID(binary.LittleEndian.AppendUint64(slices.Clone(raw), n)) }}
}

// PermissionPrefix returns what the keys of a user's permissions begin with.
func (d *Database) PermissionPrefix(user *ChildResource) []byte {
	return PermissionKey(d.number, user.Number, "")
}

// dropChildren removes what a database holds besides containers.
func (d *Database) dropChildren(tx *store.Tx) error {
	var errs []error
	for _, kind := range []byte{metaUser, metaPermission, metaEncryption} {
		prefix := metaKey(kind, store.AppendUint32(nil, d.number))
		errs = append(errs, tx.DeleteRange(prefix, store.PrefixEnd(prefix)))
	}
	return errors.Join(errs...)
}
