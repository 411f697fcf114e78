package cosmos

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Client encryption: SDKs encrypt properties before they send them, by keys that a database keeps for them, wrapped by a key of
// a vault that the service never sees. A container's clientEncryptionPolicy says which properties and by which keys.

// metaEncryption is the kind of a client encryption key, under partMeta; its name is the database's number and its id.
const metaEncryption = 'k'

// encryptionAlgorithm is the only one that there is ("Use client-side encryption with Always Encrypted for Azure Cosmos DB").
const encryptionAlgorithm = "AEAD_AES_256_CBC_HMAC_SHA256"

// encryptionKeys are a database's client encryption keys. They are replaced, to be wrapped anew, and never deleted.
func (d *database) encryptionKeys() *ChildSet {
	return &ChildSet{kind: kindEncryption, envelope: "ClientEncryptionKeys", prefix: metaKey(metaEncryption, store.AppendUint32(nil, d.number)), owner: d.rid,
		link: d.link(), rid: d.encryptionRID, fixedID: true, hasCreationTime: true}
}

// encryptionTag is what the resource id of a client encryption key ends with (ResourceId of the .NET SDK).
const encryptionTag = 2

// encryptionRID is the resource id of a client encryption key: the database's, no container and no user, a number and the tag.
func (d *database) encryptionRID(number uint64) string {
	raw := binary.BigEndian.AppendUint32(nil, d.number)
	raw = binary.LittleEndian.AppendUint32(append(raw, 0, 0, 0, 0), uint32(number))
	return encodeRID(binary.LittleEndian.AppendUint32(raw, encryptionTag))
}

// checkEncryptionKey checks a client encryption key. What wraps it is the business of the SDK.
func checkEncryptionKey(v doc.Value) *Error {
	wrapped, with := v.Field("wrappedDataEncryptionKey"), v.Field("keyWrapMetadata")
	_, err := base64.StdEncoding.DecodeString(wrapped.Str())
	switch {
	case wrapped.Str() == "":
		return missingProperties("wrappedDataEncryptionKey")
	case with.Kind() != doc.Map:
		return missingProperties("keyWrapMetadata")
	case err != nil:
		return invalidInput("The wrappedDataEncryptionKey must be in base64.")
	}
	return checkEncryptionAlgorithm(v)
}

func checkEncryptionAlgorithm(v doc.Value) *Error {
	if v.Field("encryptionAlgorithm").Str() != encryptionAlgorithm {
		return invalidInput("EncryptionAlgorithm should be '%s'.", encryptionAlgorithm)
	}
	return nil
}

// The types of encryption: of one value the first always makes the same, by which it can be looked for.
const (
	deterministic = "Deterministic"
	randomized    = "Randomized"
)

// checkEncryptionPolicy checks the clientEncryptionPolicy of a container, with the definition of its partition key: ids and
// partition keys are to be found, and only policies of version 2 may encrypt them.
func checkEncryptionPolicy(policy doc.Value, key *doc.PartitionKeyDefinition) *Error {
	if !policy.Defined() {
		return nil
	}
	if policy.Field("includedPaths").Kind() != doc.List {
		return missingProperties("includedPaths")
	}
	version := policy.Field("policyFormatVersion")
	if version.Defined() && version.Float() != 1 && version.Float() != 2 {
		return invalidInput("Supported versions of client encryption policy are 1 and 2.")
	}
	seen := map[string]bool{}
	for _, one := range policy.Field("includedPaths").Elements() {
		path := one.Field("path").Str()
		if seen[path] {
			return invalidInput("Duplicate Path found: %s.", path)
		}
		seen[path] = true
		if err := checkEncryptedPath(path, one); err != nil {
			return err
		}
		if path != "/id" && !slices.ContainsFunc(key.Paths, func(p string) bool { return p == path || strings.HasPrefix(p, path+"/") }) {
			continue
		}
		switch {
		case version.Float() != 2:
			return invalidInput("Path: %s cannot be encrypted with PolicyFormatVersion: 1. Please use PolicyFormatVersion: 2.", path)
		case one.Field("encryptionType").Str() != deterministic:
			return invalidInput("Only Deterministic encryption type is supported for path: %s.", path)
		}
	}
	return nil
}

// checkEncryptedPath checks a path of a policy.
func checkEncryptedPath(path string, one doc.Value) *Error {
	kind := one.Field("encryptionType").Str()
	switch {
	case !strings.HasPrefix(path, "/"), strings.Contains(path[1:], "/"):
		return invalidInput("Invalid path '%s': only top-level paths are supported for encryption.", path)
	case one.Field("clientEncryptionKeyId").Str() == "":
		return missingProperties("clientEncryptionKeyId")
	case kind != deterministic && kind != randomized:
		return invalidInput("EncryptionType should be either 'Deterministic' or 'Randomized'.")
	}
	return checkEncryptionAlgorithm(one)
}

// checkEncryptedWith says whether the keys of a policy are there.
func (c *call) checkEncryptedWith(policy doc.Value) *Error {
	keys := c.database.encryptionKeys()
	for _, one := range policy.Field("includedPaths").Elements() {
		id := one.Field("clientEncryptionKeyId").Str()
		found, err := c.findChild(keys, id)
		if err != nil {
			return err
		}
		if found == nil {
			return invalidInput("ClientEncryptionKey with id '[%s]' does not exist.", id)
		}
	}
	return nil
}
