package kefir

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/tables"
)

// The lock: a change of the table needs a new version and its checksum. A test enforces this.
const (
	// DocumentedVersion is the version of the schema as documented, and DocumentedChecksum its tables.Checksum.
	DocumentedVersion  = "1.0.0"
	DocumentedChecksum = "91b725f0925692a3571799db5fc1d1327a60930e2f72dbb58693530b27a33fef"
	// Version adds two indexes and their attributes (KF-D1, KF-D3) in 1.1.0, as the document's migration steps permit,
	// and the markers of idempotency keys, which expire by ttl, in 1.2.0 (KF-R12). Checksum is its tables.Checksum.
	Version  = "1.2.0"
	Checksum = "b8a2b32e215285730e510a90ff88d809fe1e1b803f5e5eff486ea6d0d1c571bf"
)

// DefaultStage is the default stage in the table's name.
const DefaultStage = "dev"

// tableName returns the name of a stage's table (KF-O1).
func tableName(prefix, stage string) string { return prefix + "kefir-app-" + stage + "-table" }

// Schema returns the schema that this package uses, for the default stage, with a table name that starts with prefix.
func Schema(prefix string) tables.Schema { return StageSchema(prefix, DefaultStage) }

// StageSchema returns the Schema of another stage.
func StageSchema(prefix, stage string) tables.Schema {
	s := DocumentedSchema(prefix, stage)
	s.Version = Version
	s.Tables[0].TTLAttribute = attributeTTL
	create := s.Tables[0].Create
	s.Tables[0].Create = tables.OnDemand(*create.TableName, create.KeySchema, append(create.GlobalSecondaryIndexes,
		addedIndexes()...)...)
	s.Tables[0].Attributes = append(s.Tables[0].Attributes,
		tables.Optional("GSI2PK", "S"), tables.Optional("GSI2SK", "S"), tables.Optional("GSI3PK", "S"),
		tables.Optional("GSI3SK", "S"),
		tables.Optional("claim", "S"), tables.Optional("claimedUntil", "S"), tables.Optional("bucket", "S"),
		tables.Optional(attributeTTL, "N"), tables.Optional("fingerprint", "S"), tables.Optional("made", "S"))
	return s
}

// DocumentedSchema returns the document's own schema, version 1.0.0, without the additions.
func DocumentedSchema(prefix, stage string) tables.Schema {
	gsi1 := tables.GlobalIndex(indexGSI1, tables.HashAndRange("GSI1PK", "GSI1SK"))
	return tables.Schema{System: "kefir", Version: DocumentedVersion, Tables: []tables.Table{{
		Create:     tables.OnDemand(tableName(prefix, stage), tables.HashAndRange("PK", "SK"), gsi1),
		Attributes: documentedAttributes(),
	}}}
}

// addedIndexes returns the added indexes. They project only keys: what they find is read consistently from the table,
// and a write that does not change their keys costs nothing in them.
func addedIndexes() []types.GlobalSecondaryIndex {
	added := []types.GlobalSecondaryIndex{
		tables.GlobalIndex(indexStatus, tables.HashAndRange("GSI2PK", "GSI2SK")),
		tables.GlobalIndex(indexDue, tables.HashAndRange("GSI3PK", "GSI3SK")),
	}
	for i := range added {
		added[i].Projection = &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	}
	return added
}

// documentedAttributes returns the attributes of all five entities. In a single table, only the keys are in every item.
// An attribute that several entities have is listed once.
func documentedAttributes() []tables.Attribute {
	all := []tables.Attribute{tables.Required("PK", "S"), tables.Required("SK", "S")}
	for kind, names := range map[string][]string{
		"S": {
			"GSI1PK", "GSI1SK", "userId", "email", "name", "createdAt", "updatedAt", "batchId", "status", "fruits", "startTime",
			"startTimeStage2", "archivedAt", "publicNote", "eventId", "type", "photoUrl", "photoKey", "note",
			"fromStatus", "toStatus",
			"reminderId", "message", "dueAt", "schedulerArn", "sentAt", "cancelledAt", "deviceId", "platform",
			"pushToken", "lastSeenAt",
		},
		"N": {
			"stage", "waterVolumeMl", "sugarGrams", "temperatureC", "targetHoursStage1", "bottleCount", "bottleVolumeMl",
			"temperatureCStage2", "targetHoursStage2", "fromStage", "toStage",
		},
		"BOOL": {"isPublic"},
		"M":    {"preferences", "deviceInfo"},
	} {
		for _, name := range names {
			all = append(all, tables.Optional(name, kind))
		}
	}
	return all
}
