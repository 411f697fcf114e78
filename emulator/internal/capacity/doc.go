// Package capacity is the model of DynamoDB's throughput: how much a table or an index may do in a second, what is
// refused beyond that and why, and where in the key space the load falls. It knows neither items nor requests nor a
// clock: who uses it says what a request costs, and when.
//
// Every rule stands where AWS documents it; testdata/cases holds the rules, unit by unit, each case with its source.
// What AWS does not document is a choice of this model, and is called one where it is made:
//
//   - A request is admitted while there is capacity left; what it costs beyond that is owed. So a request that is larger
//     than all that can be saved is possible, as it is in the service, and no rate is exceeded in the long run.
//   - A new table has the capacity of one second. It saves what it does not use from then on.
//   - A partition is split for heat when it was used at 80% of its maximum, or more, in five minutes running.
//   - The peak of a table on demand is the highest rate of any minute, and counts as its previous peak 30 minutes later.
package capacity

// The limits of the service.
const (
	// partitionReads and partitionWrites are the units that one partition can do in a second ("Best practices for
	// designing and using partition keys effectively", bp-partition-key-design).
	partitionReads, partitionWrites = 3000, 1000

	// burstSeconds is for how long provisioned capacity that is not used is kept ("DynamoDB burst and adaptive
	// capacity", burst-adaptive-capacity: "currently retains up to five minutes (300 seconds)").
	burstSeconds = 300

	// partitionBytes is the size beyond which a partition is split ("Partitions and data distribution"; "Scaling
	// DynamoDB: How partitions, hot keys, and split for heat impact performance", part 3: "a partition gets close to 10
	// GB").
	partitionBytes = 10 << 30

	// A new table on demand can do so much in a second ("DynamoDB on-demand capacity mode", initial throughput).
	initialReads, initialWrites = 12_000, 4_000

	// peakGrowth is by what a table on demand exceeds its previous peak without throttling, and peakMinutes the time
	// within which it is throttled beyond that (the same page, scaling properties).
	peakGrowth, peakMinutes = 2, 30

	// TableQuota is the most that a table on demand, or one of its indexes, may use in a second, and that one with
	// provisioned capacity may be given, reads and writes each ("Quotas in Amazon DynamoDB", throughput default quotas;
	// the same in every region).
	TableQuota = 40_000

	// AccountQuota is the most that all tables and indexes of an account in a region may be given as provisioned
	// capacity, reads and writes each (the same page). What is on demand does not count.
	AccountQuota = 80_000
)

// The choices of the model, which AWS does not document.
const (
	heatShare     = 0.8 // of a partition's maximum that is heat
	heatMinutes   = 5   // of heat that split a partition
	maxPartitions = 4096
	// hashDust are the hashes that a division into equal ranges may leave to one of them.
	hashDust = 1 << 16
	// maxPlanned is how many partitions a table is given for its capacity at most, that a table of a test with a
	// billion units costs nothing.
	maxPlanned = 256
)
