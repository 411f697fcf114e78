package engine

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// encryptionAlgorithm is the only supported algorithm ("Use client-side encryption with Always Encrypted for Azure
// Cosmos DB").
const encryptionAlgorithm = "AEAD_AES_256_CBC_HMAC_SHA256"

// CheckEncryptionAlgorithm rejects an encryption algorithm that the service does not support.
func CheckEncryptionAlgorithm(v doc.Value) *wire.Error {
	if v.Field("encryptionAlgorithm").Str() != encryptionAlgorithm {
		return wire.InvalidInput("EncryptionAlgorithm should be '%s'.", encryptionAlgorithm)
	}
	return nil
}

// The encryption types. Deterministic encryption always yields the same ciphertext for a value, so queries can compare
// it.
const (
	deterministic = "Deterministic"
	randomized    = "Randomized"
)

// checkEncryptionPolicy checks the clientEncryptionPolicy of a container against its partition key. Ids and partition
// keys must stay searchable, so only policies of version 2 may encrypt them, and only deterministically.
func checkEncryptionPolicy(policy doc.Value, key *doc.PartitionKeyDefinition) *wire.Error {
	if !policy.Defined() {
		return nil
	}
	if policy.Field("includedPaths").Kind() != doc.List {
		return wire.MissingProperties("includedPaths")
	}
	version := policy.Field("policyFormatVersion")
	if version.Defined() && version.Float() != 1 && version.Float() != 2 {
		return wire.InvalidInput("Supported versions of client encryption policy are 1 and 2.")
	}
	seen := map[string]bool{}
	for _, included := range policy.Field("includedPaths").Elements() {
		path := included.Field("path").Str()
		if seen[path] {
			return wire.InvalidInput("Duplicate Path found: %s.", path)
		}
		seen[path] = true
		if err := checkEncryptedPath(path, included); err != nil {
			return err
		}
		if path != "/id" && !slices.ContainsFunc(key.Paths, func(p string) bool {
			return p == path || strings.HasPrefix(p, path+"/")
		}) {
			continue
		}
		switch {
		case version.Float() != 2:
			return wire.InvalidInput(
				"Path: %s cannot be encrypted with PolicyFormatVersion: 1. Please use PolicyFormatVersion: 2.", path)
		case included.Field("encryptionType").Str() != deterministic:
			return wire.InvalidInput("Only Deterministic encryption type is supported for path: %s.", path)
		}
	}
	return nil
}

// checkEncryptedPath checks one path of a policy.
func checkEncryptedPath(path string, included doc.Value) *wire.Error {
	kind := included.Field("encryptionType").Str()
	switch {
	case !strings.HasPrefix(path, "/"), strings.Contains(path[1:], "/"):
		return wire.InvalidInput("Invalid path '%s': only top-level paths are supported for encryption.", path)
	case included.Field("clientEncryptionKeyId").Str() == "":
		return wire.MissingProperties("clientEncryptionKeyId")
	case kind != deterministic && kind != randomized:
		return wire.InvalidInput("EncryptionType should be either 'Deterministic' or 'Randomized'.")
	}
	return CheckEncryptionAlgorithm(included)
}
