package devicetoken

import (
	"cmp"

	"github.com/tabletop-db/tabletop/backend/tables"
)

// The lock: a change of the table's definition needs a new version and its checksum. A test enforces this.
const (
	// Version is the version of the schema document that this package implements.
	Version = "1.0.0"
	// Checksum is tables.Checksum(Schema("", "")) of that version.
	Checksum = "cc21ff63be0c263806206632fd4e40f20a778a4ee794e446b833e7ab4bca630f"
)

// DefaultEnv is the default environment in the table's name.
const DefaultEnv = "dev"

// TableName returns the full name of the table of an environment (DefaultEnv when empty), starting with prefix.
func TableName(prefix, env string) string {
	return prefix + "photoeditor-" + cmp.Or(env, DefaultEnv) + "-device-tokens"
}

// Schema returns the locked schema of an environment (DefaultEnv when empty), with a table name that starts with prefix
// (PE-O1). It has no index (PE-R5); tables.yaml adds the encryption key, the recovery and the alarms.
func Schema(prefix, env string) tables.Schema {
	return tables.Schema{System: "devicetoken", Version: Version, Tables: []tables.Table{{
		Create:       tables.OnDemand(TableName(prefix, env), tables.HashAndRange("userId", "deviceId")),
		TTLAttribute: "expiresAt",
		Attributes: []tables.Attribute{
			tables.Required("userId", "S"), tables.Required("deviceId", "S"), tables.Required("expoPushToken", "S"),
			tables.Required("platform", "S"), tables.Required("registeredAt", "S"), tables.Required("updatedAt", "S"),
			tables.Required("isActive", "BOOL"), tables.Optional("expiresAt", "N"), tables.Optional(attributeActiveAt, "S"),
		},
	}}}
}
