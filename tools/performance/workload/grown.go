package workload

import (
	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

const grownTable = "performance_grown"

// The partitions with many and with few items of the table of Grown.
const (
	largePartition = "large"
	smallPartition = "small"
	smallItems     = 100
)

// Grown returns DynamoDB's workloads on a table of n items, half of them in one partition.
func Grown(n int) *Service {
	half := n / 2
	key := `"pk":{"S":"k#` + wire.Slot(wire.Scattered) + `"},"sk":{"S":"` + sortPrefix + digits(0) + `"}`
	get := operation{"GetItem", `{"TableName":"` + grownTable + `","Key":{` + key + `}}`}
	keys := map[byte]uint32{wire.Scattered: uint32(half), 'B': 100}
	return &Service{
		Name: "DynamoDB",
		Workloads: []*Workload{
			Workload{Name: "get", MinLength: ItemSize, check: hasItem, limits: keys}.of(get),
			Workload{Name: "put"}.of(putItemInto(grownTable)),
			Workload{Name: "query20", MinLength: 20 * ItemSize, check: newestFirst}.of(
				newest20(grownTable, "", "pk", smallPartition)),
			Workload{Name: "query20-large", MinLength: 20 * ItemSize, check: newestFirst}.of(
				newest20(grownTable, "", "pk", largePartition)),
		},
		ready: DynamoDB().ready,
		setUp: func(c *Client) error { return c.setUpGrown(half) },
		reset: func(*Client) error { return nil },
	}
}

// setUpGrown makes the table of Grown. The keys of the items with partitions of their own are in scattered order.
func (c *Client) setUpGrown(half int) error {
	if err := c.makeTable(grownTable, false); err != nil {
		return err
	}
	err := c.fill(grownTable, half, func(i int) string {
		return DynamoDBItem("k#"+digits(int(wire.Scatter(uint32(i)))), sortPrefix+digits(0), digits(0))
	})
	if err != nil {
		return err
	}
	in := func(partition string) func(i int) string {
		return func(i int) string { return DynamoDBItem(partition, sortPrefix+digits(i), digits(0)) }
	}
	if err := c.fill(grownTable, half, in(largePartition)); err != nil {
		return err
	}
	return c.fill(grownTable, smallItems, in(smallPartition))
}
