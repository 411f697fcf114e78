package cost

import "slices"

// Kind is what is used and paid for.
type Kind string

// The kinds. A month is of 730 hours, and a GB of 2³⁰ bytes. Those that end in IA are of tables of the class
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
	Storage         Kind = "storage-gb-months" // tables and indexes
	StorageIA       Kind = "storage-gb-months-ia"
	Recovery        Kind = "pitr-gb-months"   // tables with point-in-time recovery; their data, indexes included
	Backups         Kind = "backup-gb-months" // backups on demand
	Restored        Kind = "restored-gb"      // once, whatever the span
	StreamReads     Kind = "stream-reads"     // GetRecords of streams
	TransferOut     Kind = "transfer-out-gb"  // to the internet; within the region it is free
	Keys            Kind = "kms-key-months"   // customer keys of KMS
	KeyRequests     Kind = "kms-requests"
	Alarms          Kind = "alarm-months" // of CloudWatch, of standard resolution
	CustomMetrics   Kind = "custom-metric-months"
	MetricRequests  Kind = "metrics-requested" // by GetMetricData
)

// kindInfo is how a kind is shown.
type kindInfo struct {
	kind Kind
	what string
	unit string
	once bool // it does not come again with every span
}

// kinds are all of them, in the order of a bill.
func kinds() []kindInfo {
	return []kindInfo{
		{kind: WriteRequests, what: "writes on demand", unit: "units"},
		{kind: ReadRequests, what: "reads on demand", unit: "units"},
		{kind: WriteRequestsIA, what: "writes on demand (IA)", unit: "units"},
		{kind: ReadRequestsIA, what: "reads on demand (IA)", unit: "units"},
		{kind: WriteHours, what: "write capacity", unit: "unit-hours"},
		{kind: ReadHours, what: "read capacity", unit: "unit-hours"},
		{kind: WriteHoursIA, what: "write capacity (IA)", unit: "unit-hours"},
		{kind: ReadHoursIA, what: "read capacity (IA)", unit: "unit-hours"},
		{kind: Storage, what: "storage", unit: "GB-months"},
		{kind: StorageIA, what: "storage (IA)", unit: "GB-months"},
		{kind: Recovery, what: "point-in-time recovery", unit: "GB-months"},
		{kind: Backups, what: "backups on demand", unit: "GB-months"},
		{kind: Restored, what: "restored", unit: "GB", once: true},
		{kind: StreamReads, what: "stream reads", unit: "GetRecords"},
		{kind: TransferOut, what: "transfer to the internet", unit: "GB"},
		{kind: Keys, what: "customer keys", unit: "key-months"},
		{kind: KeyRequests, what: "requests to KMS", unit: "requests"},
		{kind: Alarms, what: "alarms", unit: "alarm-months"},
		{kind: CustomMetrics, what: "custom metrics", unit: "metric-months"},
		{kind: MetricRequests, what: "metrics read", unit: "metrics"},
	}
}

// info finds a kind; known is false for one that does not exist.
func info(k Kind) (i kindInfo, at int, known bool) {
	all := kinds()
	at = slices.IndexFunc(all, func(i kindInfo) bool { return i.kind == k })
	if at < 0 {
		return kindInfo{kind: k, what: string(k)}, len(all), false
	}
	return all[at], at, true
}

// What is how the kind is shown, such as storage.
func (k Kind) What() string { i, _, _ := info(k); return i.what }

// Unit is what its quantities are counted in, such as GB-months; empty for a kind that there is not.
func (k Kind) Unit() string { i, _, _ := info(k); return i.unit }

// Kinds are all kinds, in the order of a bill.
func Kinds() []Kind {
	var all []Kind
	for _, i := range kinds() {
		all = append(all, i.kind)
	}
	return all
}
