package engine

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// Definition is a table as its owner described it, and as the store keeps it, in JSON. It does not change:
// an operation that changes a table makes another one.
type Definition struct {
	Name    string
	ID      uint32 // of its items' keys in the store
	UUID    string
	ARN     string
	Created float64 // seconds since 1970

	Attributes []AttributeDefinition
	KeySchema  []KeySchemaElement
	Global     []IndexDefinition
	Local      []IndexDefinition

	BillingMode        string // PROVISIONED or PAY_PER_REQUEST
	Throughput         Throughput
	OnDemandSince      float64 // when the billing mode became PAY_PER_REQUEST
	OnDemand           OnDemandThroughput
	Warm               WarmThroughput
	DeletionProtection bool
	Class              string          // table class; empty is STANDARD, and not described
	SSE                *SSEDescription // nil: the service's own key
	Sealing            bool            // items from before are still being sealed by the table's own key
	Archival           *ArchivalSummary
	Stream             *StreamSpecification
	Recovery           *RecoverySettings // nil: no point-in-time recovery
	TTLAttribute       string            // empty: items do not expire
	Restoring          bool              // items are still being copied into a table that nobody sees; who finds it so at the start removes it
	EnteringExpiry     bool              // items from before are still being entered in the order of expiry
	Tags               []Tag
	Policy             *ResourcePolicy // nil: none
	StreamPolicy       *ResourcePolicy // of the newest stream
}

// ResourcePolicy says who may do what with a table or its stream.
type ResourcePolicy struct{ Text, Revision string }

// AttributeDefinition is the type of a key attribute: S, N or B.
type AttributeDefinition struct{ AttributeName, AttributeType string }

// KeySchemaElement is an attribute of a key: HASH or RANGE.
type KeySchemaElement struct{ AttributeName, KeyType string }

// IndexDefinition is a secondary index of a table; a local one has no throughput of its own.
type IndexDefinition struct {
	Name       string
	ID         uint32
	KeySchema  []KeySchemaElement
	Projection Projection
	Throughput Throughput
	OnDemand   OnDemandThroughput
	Warm       WarmThroughput

	Backfilling bool // items from before are still being entered
}

// Projection is what an index holds of an item besides the keys.
type Projection struct {
	ProjectionType   string
	NonKeyAttributes []string
}

// Throughput is the provisioned capacity of a table or an index, in units a second; times are seconds since 1970.
type Throughput struct {
	ReadCapacityUnits, WriteCapacityUnits int64
	LastIncrease, LastDecrease            float64
	NumberOfDecreasesToday                int64
}

// SSEDescription is the encryption of a table by a key other than the service's own.
type SSEDescription struct {
	InaccessibleEncryptionDateTime   float64 `json:",omitempty"` // when the key was found unusable
	Status, SSEType, KMSMasterKeyArn string
}

// ArchivalSummary is when, in seconds since 1970, and why a table was archived.
type ArchivalSummary struct {
	ArchivalDateTime float64
	ArchivalReason   string
}

// StreamSpecification is the stream of a table that is enabled.
type StreamSpecification struct {
	ViewType string
	Label    string // of the stream's ARN
}

// RecoverySettings are those of point-in-time recovery.
type RecoverySettings struct {
	Since changelog.Position // when it was enabled: every later change of the table is in its log
	Days  int64              // how far back it reaches
}

// Tag is a tag of a table.
type Tag struct{ Key, Value string }

// OnDemandThroughput is the ceilings of a table on demand; 0 is none.
type OnDemandThroughput struct{ Reads, Writes int64 }

// IDs are those of the table and its indexes.
func (def *Definition) IDs() []uint32 {
	all := []uint32{def.ID}
	for _, x := range def.Global {
		all = append(all, x.ID)
	}
	for _, x := range def.Local {
		all = append(all, x.ID)
	}
	return all
}

const OnDemand, Provisioned = "PAY_PER_REQUEST", "PROVISIONED"

// Clone is a definition that can be changed.
func (def *Definition) Clone() *Definition {
	c := *def
	c.Attributes, c.Global = slices.Clone(def.Attributes), slices.Clone(def.Global)
	return &c
}

// IndexAt is the position of the index of a name, -1 for none.
func IndexAt(indexes []IndexDefinition, name string) int {
	return slices.IndexFunc(indexes, func(x IndexDefinition) bool { return x.Name == name })
}

// WarmThroughput is what a table or an index can do in a second at once. It never falls ("Understanding DynamoDB warm
// throughput").
type WarmThroughput struct{ Reads, Writes int64 }

// What a table on demand begins with.
const initialReads, initialWrites = 12_000, 4_000

// Raised is the higher of both, reads and writes each.
func (w WarmThroughput) Raised(to WarmThroughput) WarmThroughput {
	return WarmThroughput{max(w.Reads, to.Reads), max(w.Writes, to.Writes)}
}

// Least is what a table or an index has without having done or been given anything else.
func Least(billing string, u Throughput) WarmThroughput {
	if billing == OnDemand {
		return WarmThroughput{initialReads, initialWrites}
	}
	return WarmThroughput{u.ReadCapacityUnits, u.WriteCapacityUnits}
}

// RaiseWarm brings the warm throughput of a table and its indexes up to its capacity. A changed definition shares its
// indexes with the one before, which others read meanwhile: it gets its own.
func (def *Definition) RaiseWarm() {
	def.Warm = def.Warm.Raised(Least(def.BillingMode, def.Throughput))
	def.Global = slices.Clone(def.Global)
	for i := range def.Global {
		x := &def.Global[i]
		x.Warm = x.Warm.Raised(Least(def.BillingMode, x.Throughput))
	}
}

func (w WarmThroughput) units() capacity.Units {
	return capacity.Units{Read: float64(w.Reads), Write: float64(w.Writes)}
}
