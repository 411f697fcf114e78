package throughput

// The limits of a physical partition.
const (
	// maxPartitionRate is the maximum throughput of a partition in RU/s ("Provisioned throughput in Azure Cosmos DB").
	maxPartitionRate = 10_000
	// startingRate is the throughput per partition, in RU/s, of a new container with more than maxPartitionRate ("Best
	// practices for scaling provisioned throughput (RU/s)"): it can grow to maxPartitionRate without a split.
	startingRate = 6_000
	// MaxPartitionBytes is the maximum size of a partition in bytes: 50 GB.
	MaxPartitionBytes = 50 << 30
)

// StartingPartitions returns the number of physical partitions of a new container, by its throughput in RU/s.
func StartingPartitions(rate int) int {
	if rate <= maxPartitionRate {
		return 1
	}
	return (rate + startingRate - 1) / startingRate
}

// NeededPartitions returns the minimum number of physical partitions for a throughput in RU/s.
func NeededPartitions(rate int) int {
	return max(1, (rate+maxPartitionRate-1)/maxPartitionRate)
}
