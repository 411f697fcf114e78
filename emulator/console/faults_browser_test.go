//go:build browser

package console_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestFaultSwitches switches a preset on and off, adds a fault, sees those of other clients, and clears all.
func TestFaultSwitches(t *testing.T) {
	t.Parallel()
	b := open(t, "/faults", emulator.WithLikeCloud(emulator.Lag))
	client := ordersTable(t, b.emulator)
	b.sees("No other faults are set", "like the cloud: lag")
	b.misses("fault active")
	b.click("Status 503 for every request")
	b.sees("1 fault active", "0 hits")
	_, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("orders"),
		Key: item{"customer": text("ana"), "number": number("1")}},
		func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	if err == nil {
		t.Error("the preset does not fail a request")
	}
	b.misses("0 hits")
	b.click("Status 503 for every request")
	b.misses("fault active")

	b.click("Add fault")
	b.fill("Action", "Delay")
	b.fill("Operations", "PutItem, Batch*")
	b.fill("Tables or containers", "orders")
	b.fill("Apply to every n-th request", "2")
	b.click("Add")
	b.sees("latency is missing")
	b.fill("Latency", "1ms")
	b.fill("Name", "<b>slow</b>")
	b.click("Add")
	b.sees("<b>slow</b>", "PutItem, Batch* on orders", "1 in 2", "1 fault active")

	_, err = b.emulator.Fail(emulator.Fault{Name: "of a test", Do: emulator.DoThrottle, Times: 1,
		Operations: []string{"Scan"}})
	b.must(err)
	b.sees("of a test", "at most 1", "2 faults active")
	_, err = client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders")},
		func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	if err == nil {
		t.Error("the fault does not apply")
	}
	b.sees("ended", "1 fault active")
	b.click("Remove <b>slow</b>")
	b.misses("fault active")
	b.click("Clear all")
	b.sees("No other faults are set")
	if n := len(b.emulator.Faults()); n != 0 {
		t.Errorf("%d faults are left", n)
	}
}
