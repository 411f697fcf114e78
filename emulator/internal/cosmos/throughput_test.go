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

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
)

func TestAContainerBeginsWithThePartitionsOfItsThroughput(t *testing.T) {
	t.Parallel()
	for rate, want := range map[int]int{400: 1, 10_000: 1, 12_000: 2, 30_000: 5} {
		if got := throughput.StartingPartitions(rate); got != want {
			t.Errorf("%d RU/s: %d partitions, not %d", rate, got, want)
		}
	}
}

func TestASplitKeepsTheKeySpaceWhole(t *testing.T) {
	t.Parallel()
	key := &doc.PartitionKeyDefinition{Paths: []string{"/pk"}, Kind: doc.KindHash, Version: 2}
	all := engine.NewPartitions(key, 5)
	for n := 6; n <= 23; n++ {
		all = engine.Split(key, all, n)
		if len(all) != n || len(all[0].Low) != 0 || string(all[n-1].High) != string(doc.MaxEPK()) {
			t.Fatalf("%d partitions of %d", len(all), n)
		}
		ids := map[string]bool{}
		for i, p := range all {
			if ids[p.ID] = true; i > 0 && string(all[i-1].High) != string(p.Low) {
				t.Fatalf("a gap before %s", p.ID)
			}
		}
		if len(ids) != n {
			t.Fatalf("an id came twice: %v", ids)
		}
	}
}

func TestASecondsBudgetIsOwedBeyondIt(t *testing.T) {
	t.Parallel()
	b, now := throughput.NewRateBudget(400), start
	b.Spend(now, 399)
	if wait := b.Wait(now); wait != 0 {
		t.Errorf("something is left, and yet %v", wait)
	}
	b.Spend(now, 801) // three seconds' worth in all
	if wait := b.Wait(now.Add(250 * time.Millisecond)); wait != 2750*time.Millisecond {
		t.Errorf("wait %v", wait)
	}
	if wait := b.Wait(now.Add(2 * time.Second)); wait != time.Second {
		t.Errorf("two seconds on: wait %v", wait)
	}
	if wait := b.Wait(now.Add(3 * time.Second)); wait != 0 {
		t.Errorf("three seconds on: wait %v", wait)
	}
}

func TestBeyondItsThroughputAContainerThrottles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c *Config) { c.Throttling = true })
	items := d.newContainer(t, "things")
	var answer *azcore.ResponseError
	for i := range 1000 {
		id := strconv.Itoa(i)
		_, err := items.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"), fmt.Appendf(nil, `{"id":%q,"pk":"a"}`, id), nil)
		if errors.As(err, &answer) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if answer == nil || answer.StatusCode != http.StatusTooManyRequests || answer.RawResponse.Header.Get("x-ms-substatus") != "3200" {
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

func TestThroughputIsHeldToItsLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given throughput.Provisioned
		least int
		ok    bool
	}{
		{throughput.Provisioned{Manual: 400}, 0, true}, {throughput.Provisioned{Manual: 300}, 0, false}, {throughput.Provisioned{Manual: 450}, 0, false},
		{throughput.Provisioned{Manual: 400}, 500, false}, {throughput.Provisioned{Maximum: 1000}, 0, true}, {throughput.Provisioned{Maximum: 900}, 0, false},
		{throughput.Provisioned{Maximum: 4500}, 0, false}, {throughput.Provisioned{Maximum: 10_000}, 0, true},
	} {
		if err := c.given.Check(c.least); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
	auto := throughput.Provisioned{Maximum: 10_000}
	if auto.Billed(0) != 1000 || auto.Billed(3000) != 3000 || auto.Billed(20_000) != 10_000 {
		t.Error("autoscale is not billed from a tenth of its maximum up")
	}
}

func TestAFullPartitionIsSplit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c *Config) { c.PartitionBytes = 4000 })
	items := d.newContainer(t, "things")
	for i := range 200 {
		pk := fmt.Sprintf("pk-%d", i)
		if _, err := items.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(pk), fmt.Appendf(nil, `{"id":"1","pk":%q,"text":"0123456789"}`, pk), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(d.Catalog.Container("db-things", "things").Partitions()); n < 2 {
		t.Fatalf("%d partitions", n)
	}
	for i := range 200 {
		if _, err := items.ReadItem(t.Context(), azcosmos.NewPartitionKeyString(fmt.Sprintf("pk-%d", i)), "1", nil); err != nil {
			t.Fatal(err)
		}
	}
}
