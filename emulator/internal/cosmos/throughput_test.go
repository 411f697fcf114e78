package cosmos

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func TestContainerThrottlesBeyondItsThroughput(t *testing.T) {
	t.Parallel()
	d := newTestService(t, func(c *Config) { c.Throttling = true })
	items := d.newContainer(t, "things")
	var answer *azcore.ResponseError
	for i := range 1000 {
		id := strconv.Itoa(i)
		_, err := items.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"),
			fmt.Appendf(nil, `{"id":%q,"pk":"a"}`, id), nil)
		if errors.As(err, &answer) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if answer == nil || answer.StatusCode != http.StatusTooManyRequests ||
		answer.RawResponse.Header.Get("x-ms-substatus") != "3200" {
		t.Fatalf("%v", answer)
	}
	wait, err := strconv.Atoi(answer.RawResponse.Header.Get("x-ms-retry-after-ms"))
	if err != nil || wait < 1 {
		t.Fatalf("%d, %v", wait, err)
	}
	if err := d.clock.Advance(time.Duration(wait) * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if _, err := items.ReadItem(t.Context(), azcosmos.NewPartitionKeyString("a"), "0", nil); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}

func TestOversizedPartitionIsSplit(t *testing.T) {
	t.Parallel()
	d := newTestService(t, func(c *Config) { c.PartitionBytes = 4000 })
	items := d.newContainer(t, "things")
	for i := range 200 {
		pk := fmt.Sprintf("pk-%d", i)
		if _, err := items.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(pk),
			fmt.Appendf(nil, `{"id":"1","pk":%q,"text":"0123456789"}`, pk), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(d.Catalog.Container("db-things", "things").Partitions()); n < 2 {
		t.Fatalf("%d partitions", n)
	}
	for i := range 200 {
		if _, err := items.ReadItem(t.Context(), azcosmos.NewPartitionKeyString(fmt.Sprintf("pk-%d", i)), "1",
			nil); err != nil {
			t.Fatal(err)
		}
	}
}
