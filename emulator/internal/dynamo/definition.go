package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/changelog"

// definition is a table as its owner described it, and as the store keeps it, in JSON. It does not change:
// an operation that changes a table makes another one.
type definition struct {
	Name    string
	ID      uint32 // of its items' keys in the store
	UUID    string
	ARN     string
	Created float64 // seconds since 1970

	Attributes []attributeDefinition
	KeySchema  []keySchemaElement
	Global     []indexDefinition
	Local      []indexDefinition

	BillingMode        string // PROVISIONED or PAY_PER_REQUEST
	Throughput         throughput
	OnDemandSince      float64 // when the billing mode became PAY_PER_REQUEST
	OnDemand           onDemandThroughput
	Warm               warmThroughput
	DeletionProtection bool
	Class              string          // table class; empty is STANDARD, and not described
	SSE                *sseDescription // nil: the service's own key
	Sealing            bool            // items from before are still being sealed by the table's own key
	Archival           *archivalSummary
	Stream             *streamSpecification
	Recovery           *recoverySettings // nil: no point-in-time recovery
	TTLAttribute       string            // empty: items do not expire
	Restoring          bool              // items are still being copied into a table that nobody sees; who finds it so at the start removes it
	EnteringExpiry     bool              // items from before are still being entered in the order of expiry
	Tags               []tag
	Policy             *resourcePolicy // nil: none
	StreamPolicy       *resourcePolicy // of the newest stream
}

// resourcePolicy says who may do what with a table or its stream.
type resourcePolicy struct{ Text, Revision string }

type attributeDefinition struct{ AttributeName, AttributeType string }

type keySchemaElement struct{ AttributeName, KeyType string }

type indexDefinition struct {
	Name       string
	ID         uint32
	KeySchema  []keySchemaElement
	Projection projection
	Throughput throughput
	OnDemand   onDemandThroughput
	Warm       warmThroughput

	Backfilling bool // items from before are still being entered
}

type projection struct {
	ProjectionType   string
	NonKeyAttributes []string
}

type throughput struct {
	ReadCapacityUnits, WriteCapacityUnits int64
	LastIncrease, LastDecrease            float64
	NumberOfDecreasesToday                int64
}

type sseDescription struct {
	InaccessibleEncryptionDateTime   float64 `json:",omitempty"` // when the key was found unusable
	Status, SSEType, KMSMasterKeyArn string
}

type archivalSummary struct {
	ArchivalDateTime float64
	ArchivalReason   string
}

type streamSpecification struct {
	ViewType string
	Label    string // of the stream's ARN
}

// recoverySettings are those of point-in-time recovery.
type recoverySettings struct {
	Since changelog.Position // when it was enabled: every later change of the table is in its log
	Days  int64              // how far back it reaches
}

type tag struct{ Key, Value string }
