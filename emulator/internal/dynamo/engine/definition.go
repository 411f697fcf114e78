package engine

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// Definition is a table's definition, as the store keeps it in JSON. It is immutable: an operation that changes a table
// makes another one.
type Definition struct {
	Name    string
	ID      uint32 // part of its items' keys in the store
	UUID    string
	ARN     string
	Created float64 // seconds since 1970

	Attributes []AttributeDefinition
	KeySchema  []KeySchemaElement
	Global     []IndexDefinition
	Local      []IndexDefinition
	Vectors    []VectorDefinition `json:",omitempty"`

	BillingMode        string // PROVISIONED or PAY_PER_REQUEST
	Throughput         Throughput
	OnDemandSince      float64 // when the billing mode became PAY_PER_REQUEST
	OnDemand           OnDemandThroughput
	Warm               WarmThroughput
	DeletionProtection bool
	Class              string          // table class; empty means STANDARD, which is not described
	ClassChanged       float64         `json:",omitempty"` // when it last changed; 0: never
	SSE                *SSEDescription // nil: an AWS owned key
	Sealing            bool            // existing items are still being sealed by the table's own key
	Archival           *ArchivalSummary
	Stream             *StreamSpecification
	LastStream         string            `json:",omitempty"` // label of the newest stream, if it is disabled
	Recovery           *RecoverySettings // nil: no point-in-time recovery
	TTLAttribute       string            // empty: items do not expire
	HadTTL             bool              `json:",omitempty"` // TTLAttribute was reset: entries in the order of expiry are left
	// Restoring means that a restore is still copying items, and requests do not see the table. Load removes such a
	// table.
	Restoring      bool
	EnteringExpiry bool // existing items are still being entered in the order of expiry
	Tags           []Tag
	Policy         *ResourcePolicy      // nil: none
	StreamPolicy   *ResourcePolicy      // of the newest stream
	Insights       *ContributorInsights `json:",omitempty"` // nil: never enabled
	Destinations   []KinesisDestination `json:",omitempty"` // the newest first, one for each Kinesis stream
	Replication    *Replication         `json:",omitempty"` // nil: no replicas in other regions
	Filling        *Filling             `json:",omitempty"` // nil: it has all items
}

// StreamLabel returns the label of the table's newest stream, enabled or not; empty if it never had one.
func (d *Definition) StreamLabel() string {
	if d.Stream != nil {
		return d.Stream.Label
	}
	return d.LastStream
}

// ResourcePolicy is the resource policy of a table or its stream.
type ResourcePolicy struct{ Text, Revision string }

// AttributeDefinition is the type of a key attribute: S, N or B.
type AttributeDefinition struct{ AttributeName, AttributeType string }

// KeySchemaElement is an attribute of a key: HASH or RANGE.
type KeySchemaElement struct{ AttributeName, KeyType string }

// IndexDefinition is a secondary index of a table. A local one has no throughput of its own.
type IndexDefinition struct {
	Name       string
	ID         uint32
	KeySchema  []KeySchemaElement
	Projection Projection
	Throughput Throughput
	OnDemand   OnDemandThroughput
	Warm       WarmThroughput
	Insights   *ContributorInsights `json:",omitempty"` // nil: never enabled

	Backfilling bool // existing items are still being entered
}

// Projection is the attributes of an item that an index contains in addition to the keys.
type Projection struct {
	ProjectionType   string
	NonKeyAttributes []string
}

// Throughput is the provisioned capacity of a table or an index, in units per second. Times are seconds since 1970.
type Throughput struct {
	ReadCapacityUnits, WriteCapacityUnits int64
	LastIncrease, LastDecrease            float64
	NumberOfDecreasesToday                int64
}

// WithUnits returns the throughput with other units, without an increase or a decrease.
func (t Throughput) WithUnits(reads, writes int64) Throughput {
	t.ReadCapacityUnits, t.WriteCapacityUnits = reads, writes
	return t
}

// SSEDescription describes the encryption of a table by a key other than an AWS owned one.
type SSEDescription struct {
	InaccessibleEncryptionDateTime float64 `json:",omitempty"` // when the key was found inaccessible
	Status                         string
	SSEType, KMSMasterKeyArn       string `json:",omitempty"` // unknown while a table gets its first KMS key
}

// ArchivalSummary is when, in seconds since 1970, and why a table was archived.
type ArchivalSummary struct {
	ArchivalDateTime float64
	ArchivalReason   string
}

// StreamSpecification is an enabled stream of a table.
type StreamSpecification struct {
	ViewType string
	Label    string // of the stream's ARN
	Tags     []Tag  `json:",omitempty"` // of the stream; the table has its own
}

// RecoverySettings are the settings of point-in-time recovery.
type RecoverySettings struct {
	Since changelog.Position // when it was enabled: every later change of the table is in its log
	Days  int64              // the recovery period, in days
}

// ContributorInsights are the settings of CloudWatch Contributor Insights for a table or an index. They are immutable.
// Times are seconds since 1970.
type ContributorInsights struct {
	Enabled bool
	Mode    string // ACCESSED_AND_THROTTLED_KEYS or THROTTLED_KEYS
	Rules   int64  // when the rules were created, in milliseconds since 1970: part of their names
	Changed float64
	Settled float64 // until then, what Enabled says is still being done
	Failed  bool    // enabling them exceeded the quota of rules
}

// Tag is a tag of a table.
type Tag struct{ Key, Value string }

// OnDemandThroughput is the maximum throughput of an on-demand table or index, in units per second; 0 is no maximum.
type OnDemandThroughput struct{ Reads, Writes int64 }

// IDs returns the ids of the table and its indexes.
func (def *Definition) IDs() []uint32 {
	all := []uint32{def.ID}
	for _, x := range def.Global {
		all = append(all, x.ID)
	}
	for _, x := range def.Local {
		all = append(all, x.ID)
	}
	for _, x := range def.Vectors {
		all = append(all, x.ID)
	}
	return all
}

const OnDemand, Provisioned = "PAY_PER_REQUEST", "PROVISIONED"

// Clone returns a copy that can be changed.
func (def *Definition) Clone() *Definition {
	c := *def
	c.Attributes, c.Global = slices.Clone(def.Attributes), slices.Clone(def.Global)
	c.Vectors = slices.Clone(def.Vectors)
	return &c
}

// IndexAt returns the position of the index with that name, -1 if there is none.
func IndexAt(indexes []IndexDefinition, name string) int {
	return slices.IndexFunc(indexes, func(x IndexDefinition) bool { return x.Name == name })
}

// WarmThroughput is the throughput that a table or an index can serve immediately, in units per second. It never falls
// ("Understanding DynamoDB warm throughput").
type WarmThroughput struct{ Reads, Writes int64 }

// The warm throughput of a new on-demand table.
const initialReads, initialWrites = 12_000, 4_000

// Max returns the higher of both, reads and writes separately.
func (w WarmThroughput) Max(other WarmThroughput) WarmThroughput {
	return WarmThroughput{max(w.Reads, other.Reads), max(w.Writes, other.Writes)}
}

// BaselineWarmThroughput returns the warm throughput that a table or an index has without any traffic or request for
// more.
func BaselineWarmThroughput(billing string, u Throughput) WarmThroughput {
	if billing == OnDemand {
		return WarmThroughput{initialReads, initialWrites}
	}
	return WarmThroughput{u.ReadCapacityUnits, u.WriteCapacityUnits}
}

// RaiseWarmThroughput raises the warm throughput of a table and its indexes to at least its capacity. It copies the
// indexes first: a changed definition shares them with the previous one, which others may be reading.
func (def *Definition) RaiseWarmThroughput() {
	def.Warm = def.Warm.Max(BaselineWarmThroughput(def.BillingMode, def.Throughput))
	def.Global = slices.Clone(def.Global)
	for i := range def.Global {
		x := &def.Global[i]
		x.Warm = x.Warm.Max(BaselineWarmThroughput(def.BillingMode, x.Throughput))
	}
}

func (w WarmThroughput) units() capacity.Units {
	return capacity.Units{Read: float64(w.Reads), Write: float64(w.Writes)}
}

// logImages is which images a table's log records of an item, besides its key in the store.
type logImages struct {
	old, new bool
	keys     bool // the key attributes, where there is no image: stream records contain them
	author   bool // who made the change
}

// logImages returns what to log of the table's changes; ok is false if nothing.
func (def *Definition) logImages() (i logImages, ok bool) {
	if s := def.Stream; s != nil {
		i = logImages{old: HasOldImage(s.ViewType), new: HasNewImage(s.ViewType), keys: true}
	}
	if def.Delivering() != nil {
		i.old, i.new = true, true
	}
	if def.Recovery != nil {
		i.old, i.author = true, true // undoing a change needs the old image only
	}
	return i, i.keys || i.old
}

// HasOldImage reports whether a stream with that view type contains old images.
func HasOldImage(view string) bool { return view == "OLD_IMAGE" || view == "NEW_AND_OLD_IMAGES" }

// HasNewImage reports whether a stream with that view type contains new images.
func HasNewImage(view string) bool { return view == "NEW_IMAGE" || view == "NEW_AND_OLD_IMAGES" }

// KinesisDestination is a Kinesis stream that receives, or received, a table's changes. It is immutable. At most one
// destination of a table is enabled.
type KinesisDestination struct {
	StreamARN string
	Precision string  // of times in records: MILLISECOND or MICROSECOND; empty: not set, which means MILLISECOND
	Change    string  // the last one: EnableDestination, UpdateDestination or DisableDestination
	Settled   float64 // when the last change is complete, in seconds since 1970
	Failure   string  // the reason why enabling failed; empty: it did not fail
	// Delivering means that there are, or may be, changes to deliver: those after Start and, unless End is 0, up to End.
	Delivering bool
	Start, End changelog.Position
}

// The changes of a destination.
const (
	EnableDestination  = "ENABLE"
	UpdateDestination  = "UPDATE"
	DisableDestination = "DISABLE"
)

// Status returns the status of a destination at a time, in seconds since 1970.
func (d *KinesisDestination) Status(now float64) string {
	switch {
	case now < d.Settled:
		return map[string]string{EnableDestination: "ENABLING", UpdateDestination: "UPDATING",
			DisableDestination: "DISABLING"}[d.Change]
	case d.Change == DisableDestination:
		return "DISABLED"
	case d.Failure != "":
		return "ENABLE_FAILED"
	}
	return Active
}

// Delivering returns the destination that receives changes, nil if there is none.
func (def *Definition) Delivering() *KinesisDestination {
	for i := range def.Destinations {
		if d := &def.Destinations[i]; d.Delivering {
			return d
		}
	}
	return nil
}
