// Package capacity models DynamoDB's throughput: how much a table or an index can serve per second, which requests
// beyond that are throttled and why, and where in the key space the load is. It knows neither items nor requests nor a
// clock: its callers state the cost and the time of each request.
//
// Each rule is documented by AWS, as its comment says. testdata/cases tests the rules unit by unit, and names the
// source of each case. What AWS does not document is a choice of this model, and its comment says so:
//
//   - A request is admitted while any capacity is left; what it costs beyond that is owed. So a request that is larger
//     than all saved capacity is possible, as in the service, and no rate is exceeded in the long run.
//   - A new table has the capacity of one second. From then on it saves what it does not use.
//   - A partition is split for heat when it was used at 80% of its maximum, or more, in five consecutive minutes.
//   - The peak of an on-demand table is the highest rate of any minute. It becomes the previous peak 30 minutes later.
package capacity

// The limits of the service.
const (
	// partitionReads and partitionWrites are the maximum units per second of one partition ("Best practices for
	// designing and using partition keys effectively", bp-partition-key-design).
	partitionReads, partitionWrites = 3000, 1000

	// burstSeconds is how many seconds of unused provisioned capacity are kept ("DynamoDB burst and adaptive capacity",
	// burst-adaptive-capacity: "currently retains up to five minutes (300 seconds)").
	burstSeconds = 300

	// partitionBytes is the size above which a partition is split ("Partitions and data distribution"; "Scaling
	// DynamoDB: How partitions, hot keys, and split for heat impact performance", part 3: "a partition gets close to 10
	// GB").
	partitionBytes = 10 << 30

	// The units per second of a new on-demand table ("DynamoDB on-demand capacity mode", initial throughput).
	initialReads, initialWrites = 12_000, 4_000

	// peakGrowth is the multiple of its previous peak that an on-demand table serves without throttling; beyond it, the
	// table may be throttled within peakMinutes (the same page, scaling properties).
	peakGrowth, peakMinutes = 2, 30

	// TableQuota is the maximum units per second of an on-demand table or one of its indexes, and the maximum
	// provisioned capacity of a table or an index, reads and writes separately ("Quotas in Amazon DynamoDB", throughput
	// default quotas; the same in every region).
	TableQuota = 40_000

	// AccountQuota is the maximum provisioned capacity of all tables and indexes of an account in a region, reads and
	// writes separately (the same page). On-demand tables do not count.
	AccountQuota = 80_000
)

// Choices of this model, which AWS does not document.
const (
	heatShare     = 0.8 // share of a partition's maximum that counts as heat
	heatMinutes   = 5   // consecutive minutes of heat that split a partition
	maxPartitions = 4096
	// hashRounding is how many hashes rounding may add to one of several equal ranges.
	hashRounding = 1 << 16
	// maxPlanned is the most partitions that a table gets for its capacity, so that a test's table with a billion units
	// costs nothing.
	maxPlanned = 256
)
