package throughput

// The limits of a physical partition.
const (
	// maxPartitionRate is the maximum throughput of a partition in RU/s ("Provisioned throughput in Azure Cosmos DB").
	maxPartitionRate = 10_000
	// initialPartitionRate is the throughput per partition, in RU/s, of a new container with more than maxPartitionRate
	// ("Best practices for scaling provisioned throughput (RU/s)"): it can grow to maxPartitionRate without a split.
	initialPartitionRate = 6_000
	// MaxPartitionBytes is the maximum size of a partition in bytes: 50 GB.
	MaxPartitionBytes = 50 << 30
)

// InitialPartitions returns the number of physical partitions of a new container, by its throughput in RU/s.
func InitialPartitions(rate int) int {
	if rate <= maxPartitionRate {
		return 1
	}
	return (rate + initialPartitionRate - 1) / initialPartitionRate
}

// NeededPartitions returns the minimum number of physical partitions for a throughput in RU/s.
func NeededPartitions(rate int) int {
	return max(1, (rate+maxPartitionRate-1)/maxPartitionRate)
}
