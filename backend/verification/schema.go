package verification

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/tables"
)

// The lock: a change of the table definition needs a new version and its checksum. A test enforces this.
const (
	// Version is the version of the schema document that this package implements.
	Version = "1.0.0"
	// Checksum is tables.Checksum(Schema("")) of that version.
	Checksum = "507c78d5beb6ce2585965f9de7aed7ad1fc39b273a411d3c991854c5de00c3af"
	// Region is the only region where the data may be stored (VR-R9): Cape Town.
	Region = "af-south-1"
)

// Table is the documented name of the table.
const Table = "AuthBridgeTable"

// Schema returns the locked schema, with a table name that starts with prefix (VR-O1). Point-in-time recovery is not
// part of a CreateTable request; it is in the description.
func Schema(prefix string) tables.Schema {
	create := tables.OnDemand(prefix+Table, tables.HashAndRange("PK", "SK"),
		tables.GlobalIndex(indexClient, tables.HashAndRange("GSI1PK", "GSI1SK")),
		tables.GlobalIndex(indexDate, tables.HashAndRange("GSI2PK", "GSI2SK")),
		tables.GlobalIndex(indexUser, tables.HashAndRange("GSI3PK", "GSI3SK")))
	create.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms}
	return tables.Schema{System: "verification", Version: Version, Tables: []tables.Table{{
		Create: create, TTLAttribute: "ttl",
		Attributes: []tables.Attribute{
			tables.Required("PK", "S"), tables.Required("SK", "S"),
			tables.Optional("verificationId", "S"), tables.Optional("clientId", "S"), tables.Optional("status", "S"),
			tables.Optional("documentType", "S"), tables.Optional("customerMetadata", "M"),
			tables.Optional("createdAt", "S"), tables.Optional("updatedAt", "S"), tables.Optional("submittedAt", "S"),
			tables.Optional("completedAt", "S"), tables.Optional("expiresAt", "S"), tables.Optional("ttl", "N"),
			tables.Optional("documentId", "S"), tables.Optional("s3Key", "S"), tables.Optional("s3Bucket", "S"),
			tables.Optional("fileSize", "N"), tables.Optional("mimeType", "S"), tables.Optional("uploadedAt", "S"),
			tables.Optional("processingResults", "M"),
			tables.Optional("GSI1PK", "S"), tables.Optional("GSI1SK", "S"), tables.Optional("GSI2PK", "S"),
			tables.Optional("GSI2SK", "S"), tables.Optional("GSI3PK", "S"), tables.Optional("GSI3SK", "S"),
		},
	}}}
}
