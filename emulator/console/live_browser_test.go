//go:build browser

package console_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestLiveRequests sees requests of other clients as they end, filters and opens them, and sends one again.
func TestLiveRequests(t *testing.T) {
	t.Parallel()
	b := open(t, "/live")
	b.sees("Waiting for requests")
	client := ordersTable(t, b.emulator)
	b.sees("CreateTable")
	putItem(t, client, "orders", order("ana", 1, "open"))
	b.sees("PutItem")
	stored(t, client, "ana", "1")
	b.sees("GetItem")
	b.fill("Filter", "getitem")
	b.misses("PutItem")
	b.click("GetItem")
	b.sees(`"TableName": "orders"`, "Response")
	b.click("Send again")
	b.sees("Response to the second request", "Identical")
	putItem(t, client, "orders", order("ana", 1, "shipped"))
	b.click("Send again")
	b.sees("1 line differs", `"S": "open"`, `"S": "shipped"`)
	b.check("comparison")
	b.click("Close")
	b.fill("Filter", "")
	b.click("Pause")
	b.sees("Paused")
	b.click("Clear")
	b.sees("Waiting for requests")
}

// clientOfBothClouds returns a client of DynamoDB, and a run that sends three requests, the first of which writes an
// order with a state. On the page of live requests are those of its first run, which created the items that later runs
// replace.
func clientOfBothClouds(b *browser) (client *dynamodb.Client, run func(state string)) {
	b.t.Helper()
	client = ordersTable(b.t, b.emulator)
	container := containerWith(b.t, b.emulator, nil)
	b.sees("Waiting for requests")
	run = func(state string) {
		putItem(b.t, client, "orders", order("<b>ana</b>", 1, state))
		stored(b.t, client, "<b>ana</b>", "1")
		upsert(b.t, container, "ana", `{"id":"1","customer":"ana"}`)
	}
	run("open")
	b.sees("3 requests")
	return client, run
}

// TestCompareWithTheLastRun runs a client of both clouds twice: the second time it writes another value, and reads once
// more.
func TestCompareWithTheLastRun(t *testing.T) {
	t.Parallel()
	b := open(t, "/live")
	client, run := clientOfBothClouds(b)
	b.click("Clear")
	run("open")
	b.sees("3 requests")
	b.click("Keep as last run")
	b.sees("3 requests are the last run now", "0 requests")
	run("open")
	b.sees("3 requests")
	b.click("Compare with the last run")
	b.sees("No differences", "Requests 3 3 0")
	b.click("Close")
	b.click("Clear")
	run("paid")
	_, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders")})
	b.must(err)
	b.sees("4 requests")
	b.click("Compare with the last run")
	b.sees("2 changed", "1 new", "1 same", "Requests 3 4 +1", `response.Item.state.S "open" → "paid"`, "Scan")
	b.misses("No differences")
	b.check("comparison of runs")
	b.click("GetItem")
	b.sees("GetItem in both runs", "1 line differs", `"S": "<b>ana</b>"`)
	b.check("comparison of a request")
	b.look(390, "dark")
	b.check("comparison of a request on a phone")
}
