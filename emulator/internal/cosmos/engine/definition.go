package engine

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Definition is the part of a container that a replace may change. It is immutable.
type Definition struct {
	Resource  doc.Value // as the client sent it, with the service's defaults, without system properties
	ETag      string
	Timestamp int64

	Key                doc.PartitionKeyDefinition
	uniqueKeys         []uniqueKey
	Indexing           *index.Policy
	ComputedProperties map[string]*sql.Computed
	// DefaultTTL is the time to live in seconds, from the last write, of items without a ttl of their own. NoTTL: no
	// item expires, not even one with a ttl. neverExpires: only items with a ttl of their own expire.
	DefaultTTL int64
	Retention  time.Duration // how long versions are kept; 0: none are
}

const (
	NoTTL        = 0
	neverExpires = -1
)

// CheckKeyPath checks a partition key path: names with characters other than letters, digits and underscores must be
// quoted.
func CheckKeyPath(path string) *wire.Error {
	p, err := doc.ParseValuePath(path)
	if err != nil || strings.HasSuffix(path, "/?") || slices.Contains(p.Steps, doc.PathStep{Element: true}) {
		return badKeyPath(path)
	}
	return nil
}

// badKeyPath returns the service's error for an invalid partition key path, with the position of the fault.
func badKeyPath(path string) *wire.Error {
	at := len(path) - 1
	var wrong *doc.PathError
	if _, err := doc.ParseValuePath(path); errors.As(err, &wrong) {
		for at = wrong.At; at < len(path) && path[at] == ' '; { // the service skips spaces
			at++
		}
	}
	return wire.ServiceError("The partition key component definition path '%s' could not be accepted, failed near position '%d'. Partition key paths must contain only valid characters and not contain a trailing slash or wildcard character.",
		path, at)
}

// maxTTL is the longest time to live in seconds.
const maxTTL = math.MaxInt32

// ParseDefinition validates a container's definition from a client and adds the service's defaults.
func ParseDefinition(v doc.Value) (*Definition, *wire.Error) {
	if err := wire.CheckID(v.Field("id")); err != nil {
		return nil, err
	}
	d, err := readDefinition(withDefaults(wire.WithoutSystemProperties(v)))
	if err != nil {
		return nil, err
	}
	return d, nil
}

// storedDefinition returns the definition of a stored container. It ignores rules that the definition breaks: what was
// accepted once stays accepted, even if the rules for new containers are stricter today.
func storedDefinition(v doc.Value) *Definition {
	d, _ := readDefinition(withDefaults(wire.WithoutSystemProperties(v)))
	return d
}

// readDefinition reads a complete resource. If the resource breaks a rule, it returns the first such rule as the error
// and still returns a usable definition, without the invalid parts.
func readDefinition(resource doc.Value) (*Definition, *wire.Error) {
	d := &Definition{Resource: resource}
	var broken [8]*wire.Error
	d.Key, broken[0] = parseKeyDefinition(resource.Field("partitionKey"))
	d.Indexing, broken[1] = index.ParsePolicy(resource)
	d.ComputedProperties, broken[2] = index.ParseComputed(resource.Field("computedProperties"))
	broken[3] = index.CheckComputed(resource)
	d.Retention, broken[4] = parseRetention(resource.Field("changeFeedPolicy"))
	d.uniqueKeys, broken[5] = parseUniqueKeys(resource.Field("uniqueKeyPolicy"))
	broken[6] = checkEncryptionPolicy(resource.Field("clientEncryptionPolicy"), &d.Key)
	d.DefaultTTL, broken[7] = parseTTL(resource.Field("defaultTtl"))
	if err := cmp.Or(broken[:]...); err != nil {
		return d, err
	}
	if d.DefaultTTL == NoTTL && resource.Field("ttlPropertyPath").Kind() == doc.Text {
		return d, wire.InvalidInput("A container with a ttlPropertyPath must have a defaultTtl.")
	}
	return d, nil
}

// withDefaults adds the defaults that the service returns for properties that the client omitted.
func withDefaults(v doc.Value) doc.Value {
	for _, m := range []doc.Member{
		{Name: "partitionKey", Value: defaultPartitionKey()},
		{Name: "conflictResolutionPolicy", Value: defaultResolution()},
		{Name: "geospatialConfig", Value: doc.Object(doc.Member{Name: "type", Value: doc.String("Geography")})},
	} {
		if !v.Field(m.Name).Defined() {
			v = v.With(m.Name, m.Value)
		}
	}
	if v.Field("clientEncryptionPolicy").Kind() == doc.Null {
		v = v.Without("clientEncryptionPolicy")
	}
	v = v.With("indexingPolicy", index.WithPolicyDefaults(v.Field("indexingPolicy")))
	v = v.With("conflictResolutionPolicy", withResolutionDefaults(v.Field("conflictResolutionPolicy")))
	return v.With("partitionKey", withKeyDefaults(v.Field("partitionKey")))
}

// withResolutionDefaults completes a conflict resolution policy, of which SDKs leave out empty properties. A custom
// policy has no path.
func withResolutionDefaults(policy doc.Value) doc.Value {
	for _, m := range defaultResolution().Members() {
		if m.Name == "conflictResolutionPath" && strings.EqualFold(policy.Field("mode").Str(), "custom") {
			m.Value = doc.String("")
		}
		if !policy.Field(m.Name).Defined() {
			policy = policy.With(m.Name, m.Value)
		}
	}
	return policy
}

// withKeyDefaults completes a partition key definition. A single path without a version is hashed by version 1 and
// returned without a version, by which SDKs recognize it (v1_container_item_crud of azure_data_cosmos). The Java SDK
// writes V2 for 2.
func withKeyDefaults(key doc.Value) doc.Value {
	if !key.Field("kind").Defined() {
		kind := doc.KindHash
		if len(key.Field("paths").Elements()) > 1 {
			kind = doc.KindMultiHash
		}
		key = key.With("kind", doc.String(kind))
	}
	switch version := key.Field("version"); {
	case version.Str() == "V1":
		return key.With("version", doc.Number(1))
	case version.Str() == "V2", !version.Defined() && key.Field("kind").Str() == doc.KindMultiHash:
		return key.With("version", doc.Number(2))
	}
	return key
}

// defaultPartitionKey is the partition key of a container created without one, whose items have no partition key value.
func defaultPartitionKey() doc.Value {
	return doc.Object(
		doc.Member{Name: "paths", Value: doc.Array(doc.String("/_partitionKey"))},
		doc.Member{Name: "kind", Value: doc.String("Hash")},
		doc.Member{Name: "version", Value: doc.Number(2)},
		doc.Member{Name: "systemKey", Value: doc.Bool(true)},
	)
}

func defaultResolution() doc.Value {
	return doc.Object(
		doc.Member{Name: "mode", Value: doc.String("LastWriterWins")},
		doc.Member{Name: "conflictResolutionPath", Value: doc.String("/_ts")},
		doc.Member{Name: "conflictResolutionProcedure", Value: doc.String("")},
	)
}

// parseKeyDefinition parses and checks a partition key definition.
func parseKeyDefinition(v doc.Value) (doc.PartitionKeyDefinition, *wire.Error) {
	key := doc.PartitionKeyDefinition{Kind: v.Field("kind").Str(), Version: int(v.Field("version").Float()),
		SystemKey: v.Field("systemKey").IsTrue()}
	if !v.Field("version").Defined() {
		key.Version = 1
	}
	for _, path := range v.Field("paths").Elements() {
		key.Paths = append(key.Paths, path.Str())
	}
	return key, checkKeyDefinition(key)
}

// maxKeyLevels is the maximum number of paths of a hierarchical partition key ("Hierarchical partition keys in Azure
// Cosmos DB").
const maxKeyLevels = 3

func checkKeyDefinition(key doc.PartitionKeyDefinition) *wire.Error {
	switch {
	case key.Kind != doc.KindHash && key.Kind != doc.KindMultiHash:
		return wire.InvalidInput("The partition key's kind must be Hash or MultiHash, not %q.", key.Kind)
	case key.Kind == doc.KindMultiHash && len(key.Paths) > maxKeyLevels:
		return wire.ServiceError("Too many partition key paths (%d) specified. A maximum of %d is allowed.",
			len(key.Paths), maxKeyLevels)
	case len(key.Paths) == 0, key.Kind == doc.KindHash && len(key.Paths) > 1:
		return wire.InvalidInput("A partition key has one path, a hierarchical one (MultiHash) up to %d.", maxKeyLevels)
	case key.Version != 1 && key.Version != 2, key.Kind == doc.KindMultiHash && key.Version != 2:
		return wire.InvalidInput("The partition key's version must be 1 or 2; a hierarchical partition key requires 2.")
	}
	for _, path := range key.Paths {
		if _, err := doc.PathSegments(path); err != nil {
			return badKeyPath(path)
		}
	}
	return nil
}

// parseTTL parses a time to live: -1 or a number of seconds, at least 1. It returns NoTTL if v is undefined or invalid.
func parseTTL(v doc.Value) (int64, *wire.Error) {
	if !v.Defined() {
		return NoTTL, nil
	}
	n := v.Float()
	if v.Kind() != doc.Numeric || n != math.Trunc(n) || n < neverExpires || n == 0 || n > maxTTL {
		return NoTTL, wire.InvalidInput("The time to live must be -1 or a whole number of seconds from 1 to %d.", maxTTL)
	}
	return int64(n), nil
}

// maxRetention is the longest retention of versions in minutes: 30 days, as long as continuous backups are kept.
const maxRetention = 30 * 24 * 60

// parseRetention parses a changeFeedPolicy: {"retentionDuration": minutes}. 0, null and undefined mean none.
func parseRetention(policy doc.Value) (time.Duration, *wire.Error) {
	minutes := policy.Field("retentionDuration")
	if policy.Kind() > doc.Null && policy.Kind() != doc.Map {
		return 0, wire.InvalidInput("The changeFeedPolicy must be an object.")
	}
	n := minutes.Float()
	if minutes.Kind() > doc.Null && (minutes.Kind() != doc.Numeric || n != math.Trunc(n) || n < 0 || n > maxRetention) {
		n = min(max(n, 0), maxRetention) // clamped, for a stored container
		return time.Duration(n) * time.Minute,
			wire.InvalidInput("The retentionDuration of a changeFeedPolicy must be a whole number of minutes up to %d.",
				maxRetention)
	}
	return time.Duration(n) * time.Minute, nil
}
