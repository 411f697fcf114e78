package telemetry

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/tables"
)

// The lock (TL-R14): whoever changes a table definition gives it a new version and its checksum. A test compares.
const (
	// Version is the version of the schema document that this package implements.
	Version = "1.0.0"
	// Checksum is tables.Checksum(Schema("")) of that version.
	Checksum = "3151b227e900759b303195ca7e79a5463ff32f3f3865c44b35489de8a86e0faf"
)

// Names of tables, indexes and partitions, as the document has them.
const (
	tableDevices   = "devices"
	tableReadings  = "device_readings"
	tableProcessed = "processed_batches"
	tableAPIKeys   = "api_keys"

	indexListing = "gsi1"               // of devices and of api_keys
	indexKeyHash = "api_key_hash_index" // of api_keys

	// One partition lists all devices, one all keys (TL-D5): kept as locked. An index partition takes 1,000 writes
	// a second; 10,000 devices registering once in 5 minutes are 33.
	partitionDevices = "devices"
	partitionAPIKeys = "api_keys"
)

// Schema is the locked schema with prefix before each table name (TL-O1).
func Schema(prefix string) tables.Schema {
	return tables.Schema{System: "telemetry", Version: Version, Tables: []tables.Table{
		devicesTable(prefix), readingsTable(prefix), processedTable(prefix), apiKeysTable(prefix),
	}}
}

func devicesTable(prefix string) tables.Table {
	return tables.Table{
		Create: onDemand(prefix+tableDevices, hash("hardware_id"), listing()),
		Attributes: []tables.Attribute{
			required("hardware_id", "S"), required("confirmation_id", "S"), required("capabilities", "M"),
			required("first_registered_at", "S"), required("last_seen_at", "S"), required("last_boot_id", "S"),
			required("firmware_version", "S"), optional("friendly_name", "S"),
			required("gsi1pk", "S"), required("gsi1sk", "S"),
		},
	}
}

func readingsTable(prefix string) tables.Table {
	return tables.Table{
		Create:       onDemand(prefix+tableReadings, hashAndRange("hardware_id", "ts_batch")),
		TTLAttribute: "expiration_time",
		Attributes: []tables.Attribute{
			required("hardware_id", "S"), required("ts_batch", "S"), required("timestamp_ms", "N"),
			required("batch_id", "S"), required("boot_id", "S"), required("firmware_version", "S"),
			optional("friendly_name", "S"), required("sensors", "M"), required("sensor_status", "M"),
			optional("expiration_time", "N"),
		},
	}
}

func processedTable(prefix string) tables.Table {
	return tables.Table{
		Create:       onDemand(prefix+tableProcessed, hash("batch_id")),
		TTLAttribute: "expiration_time",
		Attributes: []tables.Attribute{
			required("batch_id", "S"), required("hardware_id", "S"), required("received_at", "S"),
			required("expiration_time", "N"),
		},
	}
}

func apiKeysTable(prefix string) tables.Table {
	byHash := index(indexKeyHash, hash("api_key_hash"))
	return tables.Table{
		Create: onDemand(prefix+tableAPIKeys, hash("key_id"), byHash, listing()),
		Attributes: []tables.Attribute{
			required("key_id", "S"), required("api_key_hash", "S"), required("created_at", "S"),
			optional("last_used_at", "S"), required("is_active", "BOOL"), optional("description", "S"),
			required("gsi1pk", "S"), required("gsi1sk", "S"),
		},
	}
}

func required(name, kind string) tables.Attribute {
	return tables.Attribute{Name: name, Type: kind, Required: true}
}
func optional(name, kind string) tables.Attribute { return tables.Attribute{Name: name, Type: kind} }

func hash(name string) []types.KeySchemaElement {
	return []types.KeySchemaElement{{AttributeName: aws.String(name), KeyType: types.KeyTypeHash}}
}

func hashAndRange(partition, sort string) []types.KeySchemaElement {
	return append(hash(partition), types.KeySchemaElement{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange})
}

func listing() types.GlobalSecondaryIndex {
	return index(indexListing, hashAndRange("gsi1pk", "gsi1sk"))
}

func index(name string, key []types.KeySchemaElement) types.GlobalSecondaryIndex {
	return types.GlobalSecondaryIndex{
		IndexName: aws.String(name), KeySchema: key,
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
	}
}

// onDemand makes the request for a table whose keys, and those of its indexes, are all strings: the document has
// no others.
func onDemand(name string, key []types.KeySchemaElement, indexes ...types.GlobalSecondaryIndex) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName: aws.String(name), KeySchema: key, BillingMode: types.BillingModePayPerRequest,
		GlobalSecondaryIndexes: indexes,
	}
	keys := key
	for _, i := range indexes {
		keys = append(keys[:len(keys):len(keys)], i.KeySchema...)
	}
	for _, k := range keys {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: k.AttributeName, AttributeType: types.ScalarAttributeTypeS,
		})
	}
	return in
}
