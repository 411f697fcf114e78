package throughput

// Limits of a physical partition.
const (
	// maxPartitionRate is the throughput that one partition can have ("Provisioned throughput in Azure Cosmos DB").
	maxPartitionRate = 10_000
	// startingRate is what a new container beyond maxPartitionRate has for each partition ("Best practices for scaling
	// provisioned throughput (RU/s)"): room to grow to maxPartitionRate without a split.
	startingRate = 6_000
	// MaxPartitionBytes is what one partition can hold: 50 GB.
	MaxPartitionBytes = 50 << 30
)

// StartingPartitions is how many physical partitions a new container of a throughput has.
func StartingPartitions(rate int) int {
	if rate <= maxPartitionRate {
		return 1
	}
	return (rate + startingRate - 1) / startingRate
}

// NeededPartitions is how many physical partitions a throughput takes at least.
func NeededPartitions(rate int) int {
	return max(1, (rate+maxPartitionRate-1)/maxPartitionRate)
}
