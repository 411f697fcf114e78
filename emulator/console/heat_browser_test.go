//go:build browser

package console_test

import "testing"

// TestHeat sees the load on a table, its index and a container by partition, and how it changes.
func TestHeat(t *testing.T) {
	t.Parallel()
	b := open(t, "/heat")
	client := ordersTable(t, b.emulator)
	container := ordersContainer(t, b.emulator)
	for i := range 3 {
		putItem(t, client, "orders", order("ana", i+1, "open"))
	}
	upsert(t, container, "ana", `{"id":"1","customer":"ana"}`)
	b.sees("orders DynamoDB", "orders index by-state DynamoDB", "shop/orders Cosmos DB", "100%",
		"Hottest keys Partition key Read units Write units Throttled ana 0 3 0")
	putItem(t, client, "orders", order("<i>bob</i>", 1, "open"))
	b.sees("ana 0 3 0 <i>bob</i> 0 1 0", "75%", "25%")
	b.fill("Load", "Reads")
	b.misses("ana 0 3 0")
	b.fill("Name", "shop/")
	b.misses("by-state DynamoDB")
	b.visit("/dynamodb/tables/orders/metrics")
	b.sees("Heat by partition", "orders index by-state DynamoDB", "ana 0 3 0")
	b.misses("shop/orders")
}

// TestHeatOfNarrowWindows sees every number of a heat map at the width of a phone, without scrolling sideways.
func TestHeatOfNarrowWindows(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	putItem(t, ordersTable(t, b.emulator), "orders", order("ana", 1, "open"))
	upsert(t, ordersContainer(t, b.emulator), "ana", `{"id":"1","customer":"ana"}`)
	b.look(390, "light")
	b.visit("/heat")
	b.sees("Read units", "Write units", "Throttled", "100%")
	for _, table := range []string{"Partitions of orders", "Partitions of shop/orders", "Hottest keys"} {
		until[bool](b, "fits", table)
	}
}
