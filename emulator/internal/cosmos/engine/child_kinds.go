package engine

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// Client-side encryption: SDKs encrypt properties before they send them, with data encryption keys that the database
// stores. Each is wrapped by a customer-managed key in a key vault, which the service never sees. The
// clientEncryptionPolicy of a container lists the encrypted properties and the key of each.

// metaEncryption is the kind of a client encryption key under partMeta. Its name is the number of the database, then
// the id.
const metaEncryption = keyspace.CatalogEncryptionKey

// EncryptionKeys returns the client encryption keys of a database. A key can be replaced, which rewraps it, but never
// deleted.
func (d *Database) EncryptionKeys() *ChildSet {
	return &ChildSet{Kind: wire.KindClientEncryptionKey, ListName: "ClientEncryptionKeys", Prefix: metaKey(metaEncryption,
		store.AppendUint32(nil, d.number)), numbersKey: d.numbersKey(metaEncryption), ParentRID: d.RID,
		parentLink: d.Link(), formatRID: d.encryptionRID, ImmutableID: true, hasCreationTime: true}
}

// encryptionTag is the last part of the resource id of a client encryption key (ResourceId of the .NET SDK).
const encryptionTag = 2

// encryptionRID returns the resource id of a client encryption key: the database, zeros for container and user, a
// number and the tag.
func (d *Database) encryptionRID(number uint64) string {
	raw := binary.BigEndian.AppendUint32(nil, d.number)
	raw = binary.LittleEndian.AppendUint32(append(raw, 0, 0, 0, 0), uint32(number))
	return wire.EncodeRID(binary.LittleEndian.AppendUint32(raw, encryptionTag))
}

// PermissionKey returns the key of the permission with an id, of a user of a database.
func PermissionKey(database uint32, user uint64, id string) []byte {
	return append(metaKey(metaPermission, store.AppendUint64(store.AppendUint32(nil, database), user)), id...)
}

// The letters of a container's scripts and of their free numbers. The first letter of the kind follows them in the key,
// then the id of a script.
const (
	letterScript        = keyspace.ContainerScript
	letterScriptNumbers = keyspace.ContainerScriptNumbers
)

// The maximum numbers of scripts in a container ("Azure Cosmos DB service quotas", per-container limits; for triggers,
// x-ms-resource-quota in "Create a trigger").
const (
	maxProcedures = 100
	maxTriggers   = 25
	MaxFunctions  = 50
)

// Scripts returns the scripts of a kind in the container.
func (c *Container) Scripts(k wire.Kind) *ChildSet {
	s := &ChildSet{Kind: k, Prefix: append(c.Key(letterScript, 1), k[0]),
		numbersKey: append(c.Key(letterScriptNumbers, 1), k[0]), ParentRID: c.RID, parentLink: c.SelfLink()}
	tag := byte(wire.RIDStoredProcedure)
	switch k {
	case wire.KindStoredProcedure:
		s.ListName, s.Limit = "StoredProcedures", maxProcedures
	case wire.KindTrigger:
		s.ListName, s.Limit, tag = "Triggers", maxTriggers, wire.RIDTrigger
	case wire.KindUDF:
		s.ListName, s.Limit, tag = "UserDefinedFunctions", MaxFunctions, wire.RIDUDF
	}
	s.formatRID = func(n uint64) string { return c.ChildRID(tag, n) }
	return s
}

// Users returns the users of a database.
func (d *Database) Users() *ChildSet {
	return &ChildSet{Kind: wire.KindUser, ListName: "Users", Prefix: metaKey(metaUser, store.AppendUint32(nil, d.number)),
		numbersKey: d.numbersKey(metaUser), ParentRID: d.RID, parentLink: d.Link(), formatRID: d.userRID}
}

// userRID returns the resource id of a user: that of the database and four bytes, whose highest bit is clear, unlike a
// container's.
func (d *Database) userRID(number uint64) string {
	raw := binary.BigEndian.AppendUint32(nil, d.number)
	return wire.EncodeRID(binary.BigEndian.AppendUint32(raw, uint32(number)&^wire.ContainerBit))
}

// Permissions returns the permissions of a user.
func (d *Database) Permissions(user *ChildResource) *ChildSet {
	users := d.Users()
	owner := users.formatRID(user.Number)
	raw, _ := wire.DecodeRID(owner)
	return &ChildSet{Kind: wire.KindPermission, ListName: "Permissions", Prefix: PermissionKey(d.number, user.Number, ""),
		numbersKey: store.AppendUint64(d.numbersKey(metaPermission), user.Number),
		ParentRID:  owner, parentLink: users.selfLink(user),
		formatRID: func(n uint64) string { return wire.EncodeRID(binary.LittleEndian.AppendUint64(slices.Clone(raw), n)) }}
}

// numbersKey returns the key of the free numbers of a kind of child resources.
func (d *Database) numbersKey(kind byte) []byte {
	return append(metaKey(metaNumbers, store.AppendUint32(nil, d.number)), kind)
}

// Drop deletes all resources of the set.
func (s *ChildSet) Drop(tx *store.Tx) error {
	return errors.Join(tx.DeleteRange(s.Prefix, store.PrefixEnd(s.Prefix)), tx.Delete(s.numbersKey))
}

// dropChildren deletes everything in a database but its containers.
func (d *Database) dropChildren(tx *store.Tx) error {
	var errs []error
	for _, kind := range []byte{metaUser, metaPermission, metaEncryption, metaNumbers} {
		prefix := metaKey(kind, store.AppendUint32(nil, d.number))
		errs = append(errs, tx.DeleteRange(prefix, store.PrefixEnd(prefix)))
	}
	return errors.Join(errs...)
}
