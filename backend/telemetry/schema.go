package telemetry

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/tables"
)

// The lock (TL-R14): a change of a table definition needs a new version and its checksum. A test enforces this.
const (
	// Version is the version of the schema document that this package implements.
	Version = "1.0.0"
	// Checksum is tables.Checksum(Schema("")) of that version.
	Checksum = "3151b227e900759b303195ca7e79a5463ff32f3f3865c44b35489de8a86e0faf"
)

// Names of tables, as documented.
const (
	tableDevices   = "devices"
	tableReadings  = "device_readings"
	tableProcessed = "processed_batches"
	tableAPIKeys   = "api_keys"
)

// Schema returns the locked schema, with table names that start with prefix (TL-O1).
func Schema(prefix string) tables.Schema {
	return tables.Schema{System: "telemetry", Version: Version, Tables: []tables.Table{
		devicesTable(prefix), readingsTable(prefix), processedTable(prefix), apiKeysTable(prefix),
	}}
}

func devicesTable(prefix string) tables.Table {
	return tables.Table{
		Create: tables.OnDemand(prefix+tableDevices, tables.Hash("hardware_id"), listingIndex()),
		Attributes: []tables.Attribute{
			tables.Required("hardware_id", "S"), tables.Required("confirmation_id", "S"), tables.Required("capabilities", "M"),
			tables.Required("first_registered_at", "S"), tables.Required("last_seen_at", "S"),
			tables.Required("last_boot_id", "S"),
			tables.Required("firmware_version", "S"), tables.Optional("friendly_name", "S"),
			tables.Required("gsi1pk", "S"), tables.Required("gsi1sk", "S"),
		},
	}
}

func readingsTable(prefix string) tables.Table {
	return tables.Table{
		Create:       tables.OnDemand(prefix+tableReadings, tables.HashAndRange("hardware_id", "ts_batch")),
		TTLAttribute: "expiration_time",
		Attributes: []tables.Attribute{
			tables.Required("hardware_id", "S"), tables.Required("ts_batch", "S"), tables.Required("timestamp_ms", "N"),
			tables.Required("batch_id", "S"), tables.Required("boot_id", "S"), tables.Required("firmware_version", "S"),
			tables.Optional("friendly_name", "S"), tables.Required("sensors", "M"), tables.Required("sensor_status", "M"),
			tables.Optional("expiration_time", "N"),
		},
	}
}

func processedTable(prefix string) tables.Table {
	return tables.Table{
		Create:       tables.OnDemand(prefix+tableProcessed, tables.Hash("batch_id")),
		TTLAttribute: "expiration_time",
		Attributes: []tables.Attribute{
			tables.Required("batch_id", "S"), tables.Required("hardware_id", "S"), tables.Required("received_at", "S"),
			tables.Required("expiration_time", "N"),
		},
	}
}

func apiKeysTable(prefix string) tables.Table {
	byHash := tables.GlobalIndex(indexKeyHash, tables.Hash("api_key_hash"))
	return tables.Table{
		Create: tables.OnDemand(prefix+tableAPIKeys, tables.Hash("key_id"), byHash, listingIndex()),
		Attributes: []tables.Attribute{
			tables.Required("key_id", "S"), tables.Required("api_key_hash", "S"), tables.Required("created_at", "S"),
			tables.Optional("last_used_at", "S"), tables.Required("is_active", "BOOL"), tables.Optional("description", "S"),
			tables.Required("gsi1pk", "S"), tables.Required("gsi1sk", "S"),
		},
	}
}

func listingIndex() types.GlobalSecondaryIndex {
	return tables.GlobalIndex(indexListing, tables.HashAndRange("gsi1pk", "gsi1sk"))
}
