package cost

import (
	"slices"
	"strings"
)

// Kind is a kind of usage that is billed.
type Kind string

// The kinds. A month has 730 hours, and a GB 2³⁰ bytes. Kinds that end in IA are for tables of the class
// Standard-Infrequent Access.
const (
	WriteRequests   Kind = "write-request-units"    // on demand
	ReadRequests    Kind = "read-request-units"     // on demand
	WriteRequestsIA Kind = "write-request-units-ia" // on demand
	ReadRequestsIA  Kind = "read-request-units-ia"  // on demand
	WriteHours      Kind = "write-capacity-hours"   // provisioned units times hours
	ReadHours       Kind = "read-capacity-hours"    // provisioned units times hours
	WriteHoursIA    Kind = "write-capacity-hours-ia"
	ReadHoursIA     Kind = "read-capacity-hours-ia"
	// Units of tables with replicas in other regions; their global indexes have ordinary ones. Both cost the same
	// ("Understanding Amazon DynamoDB billing for global tables"), unless a price file says otherwise.
	ReplicatedWriteRequests   Kind = "replicated-write-request-units"
	ReplicatedWriteRequestsIA Kind = "replicated-write-request-units-ia"
	ReplicatedWriteHours      Kind = "replicated-write-capacity-hours"
	ReplicatedWriteHoursIA    Kind = "replicated-write-capacity-hours-ia"
	Storage                   Kind = "storage-gb-months" // tables and indexes
	StorageIA                 Kind = "storage-gb-months-ia"
	Recovery                  Kind = "pitr-gb-months"            // size of tables with point-in-time recovery, including indexes
	Backups                   Kind = "backup-gb-months"          // on-demand backups
	Restored                  Kind = "restored-gb"               // billed once, whatever the span
	StreamReads               Kind = "stream-reads"              // GetRecords of streams
	CapturedChanges           Kind = "change-data-capture-units" // of Kinesis destinations
	Imported                  Kind = "imported-gb"               // of objects, uncompressed; billed once, whatever the span
	Exported                  Kind = "exported-gb"               // of tables, in full; billed once, whatever the span
	ExportedChanges           Kind = "incrementally-exported-gb" // billed once, whatever the span
	BulkPuts                  Kind = "bulk-put-gb"               // of the standard tier; billed once, whatever the span
	AcceleratedBulkPuts       Kind = "accelerated-bulk-put-gb"   // billed once, whatever the span
	VectorWrites              Kind = "vector-write-gb"
	VectorSearches            Kind = "vector-search-gb"
	VectorWritesIA            Kind = "vector-write-gb-ia"
	VectorSearchesIA          Kind = "vector-search-gb-ia"
	InsightRules              Kind = "insight-rule-months" // of contributor insights
	InsightEvents             Kind = "insight-events"      // of contributor insights
	TransferOut               Kind = "transfer-out-gb"     // to the internet; free within the region
	Keys                      Kind = "kms-key-months"      // customer managed keys
	KeyRequests               Kind = "kms-requests"
	Alarms                    Kind = "alarm-months" // CloudWatch alarms of standard resolution
	CustomMetrics             Kind = "custom-metric-months"
	MetricRequests            Kind = "metrics-requested" // by GetMetricData
)

// kindInfo describes how a kind is displayed.
type kindInfo struct {
	kind    Kind
	name    string
	unit    string
	oneTime bool // does not recur with every span
}

// kinds returns all kinds, in the order of a bill.
func kinds() []kindInfo {
	return []kindInfo{
		{kind: WriteRequests, name: "on-demand writes", unit: "units"},
		{kind: ReadRequests, name: "on-demand reads", unit: "units"},
		{kind: WriteRequestsIA, name: "on-demand writes (IA)", unit: "units"},
		{kind: ReadRequestsIA, name: "on-demand reads (IA)", unit: "units"},
		{kind: ReplicatedWriteRequests, name: "on-demand replicated writes", unit: "units"},
		{kind: ReplicatedWriteRequestsIA, name: "on-demand replicated writes (IA)", unit: "units"},
		{kind: WriteHours, name: "write capacity", unit: "unit-hours"},
		{kind: ReadHours, name: "read capacity", unit: "unit-hours"},
		{kind: WriteHoursIA, name: "write capacity (IA)", unit: "unit-hours"},
		{kind: ReadHoursIA, name: "read capacity (IA)", unit: "unit-hours"},
		{kind: ReplicatedWriteHours, name: "replicated write capacity", unit: "unit-hours"},
		{kind: ReplicatedWriteHoursIA, name: "replicated write capacity (IA)", unit: "unit-hours"},
		{kind: Storage, name: "storage", unit: "GB-months"},
		{kind: StorageIA, name: "storage (IA)", unit: "GB-months"},
		{kind: Recovery, name: "point-in-time recovery", unit: "GB-months"},
		{kind: Backups, name: "on-demand backups", unit: "GB-months"},
		{kind: Restored, name: "restored data", unit: "GB", oneTime: true},
		{kind: StreamReads, name: "stream reads", unit: "GetRecords"},
		{kind: CapturedChanges, name: "change data capture for Kinesis", unit: "units"},
		{kind: Imported, name: "imports", unit: "GB", oneTime: true},
		{kind: Exported, name: "full exports", unit: "GB", oneTime: true},
		{kind: ExportedChanges, name: "incremental exports", unit: "GB", oneTime: true},
		{kind: BulkPuts, name: "bulk puts", unit: "GB", oneTime: true},
		{kind: AcceleratedBulkPuts, name: "bulk puts (accelerated)", unit: "GB", oneTime: true},
		{kind: VectorWrites, name: "vector index writes", unit: "GB"},
		{kind: VectorSearches, name: "vector searches", unit: "GB"},
		{kind: VectorWritesIA, name: "vector index writes (IA)", unit: "GB"},
		{kind: VectorSearchesIA, name: "vector searches (IA)", unit: "GB"},
		{kind: InsightRules, name: "contributor insights rules", unit: "rule-months"},
		{kind: InsightEvents, name: "contributor insights events", unit: "events"},
		{kind: TransferOut, name: "data transfer to the internet", unit: "GB"},
		{kind: Keys, name: "customer managed keys", unit: "key-months"},
		{kind: KeyRequests, name: "KMS requests", unit: "requests"},
		{kind: Alarms, name: "alarms", unit: "alarm-months"},
		{kind: CustomMetrics, name: "custom metrics", unit: "metric-months"},
		{kind: MetricRequests, name: "metrics requested", unit: "metrics"},
	}
}

// info returns the kindInfo of a kind; known is false if there is none.
func info(k Kind) (i kindInfo, at int, known bool) {
	all := kinds()
	at = slices.IndexFunc(all, func(i kindInfo) bool { return i.kind == k })
	if at < 0 {
		return kindInfo{kind: k, name: string(k)}, len(all), false
	}
	return all[at], at, true
}

// Name returns the kind's name in bills, such as storage.
func (k Kind) Name() string { i, _, _ := info(k); return i.name }

// Unit returns the unit of the kind's quantities, such as GB-months, or an empty string for an unknown kind.
func (k Kind) Unit() string { i, _, _ := info(k); return i.unit }

// Kinds returns all kinds, in the order of a bill.
func Kinds() []Kind {
	var all []Kind
	for _, i := range kinds() {
		all = append(all, i.kind)
	}
	return all
}

// replicatedPrefix begins the replicated kinds.
const replicatedPrefix = "replicated-"

// Replicated returns the kind of the writes of a table with replicas, where k is that of one without.
func (k Kind) Replicated() Kind { return replicatedPrefix + k }

// price returns the price of a kind; nil: the region has none. That of a replicated write is that of an ordinary one
// unless the file has another.
func (r *Region) price(k Kind) *Price {
	if p := r.Prices[k]; p != nil {
		return p
	}
	return r.Prices[Kind(strings.TrimPrefix(string(k), replicatedPrefix))]
}
