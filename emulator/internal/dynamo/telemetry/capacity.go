package telemetry

// Charge is the capacity that a request consumed of one table or index.
type Charge struct {
	Table string
	Index string // empty: the table itself
	Local bool   // the index is local and uses its table's capacity
	Write bool   // write units, or else read units
	Units float64
}

// Throttle is a read or a write of one item that exceeded the capacity of a table or an index.
type Throttle struct {
	Table string
	Index string // empty: the table itself
	Write bool
	Limit Limit
}

// Limit is the limit that was exceeded, as the service names it in ThrottlingReasons and in its metrics.
type Limit string

// The limits.
const (
	ProvisionedLimit Limit = "ProvisionedThroughput"
	KeyRangeLimit    Limit = "KeyRangeThroughput"
	OnDemandLimit    Limit = "MaxOnDemandThroughput"
	AccountLimit     Limit = "AccountLimit"
)

// Throughput is the throughput settings of a table or a global secondary index, in units per second.
type Throughput struct {
	Account string // the table's owner; empty without isolation
	Table   string
	Index   string // empty: the table itself
	// Reads and Writes are the provisioned units; 0 on demand.
	Reads, Writes int64
	// MaxReads and MaxWrites are the configured on-demand maximums; 0 is none.
	MaxReads, MaxWrites int64
}

// TableResources are the resources of a table that are billed by time.
type TableResources struct {
	Account string // the table's owner; empty without isolation
	Table   string

	OnDemand         bool
	InfrequentAccess bool  // its class is Standard-Infrequent Access
	Reads, Writes    int64 // provisioned units, including those of global indexes; 0 on demand
	IndexWrites      int64 // the part of Writes of global indexes
	Replicated       bool  // it has replicas in other regions
	Bytes            int64 // of items and their copies in indexes
	RecoveryBytes    int64 // what point-in-time recovery bills: items and local indexes; 0 if it is off
	InsightRules     int64 // rules of contributor insights, including those of global indexes
}
