package throughput

import (
	"testing"
	"time"
)

func TestInitialPartitionsDependOnThroughput(t *testing.T) {
	t.Parallel()
	for rate, want := range map[int]int{400: 1, 10_000: 1, 12_000: 2, 30_000: 5} {
		if got := InitialPartitions(rate); got != want {
			t.Errorf("%d RU/s: %d partitions, not %d", rate, got, want)
		}
	}
}

func TestOverdraftIsCarriedOver(t *testing.T) {
	t.Parallel()
	b, now := NewRateBudget(400), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	b.Spend(now, 399)
	if wait := b.Wait(now); wait != 0 {
		t.Errorf("something is left, and yet %v", wait)
	}
	b.Spend(now, 801) // three seconds' worth in total
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

func TestThroughputLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given Provisioned
		least int
		ok    bool
	}{
		{Provisioned{Manual: 400}, 0, true}, {Provisioned{Manual: 300}, 0, false}, {Provisioned{Manual: 450}, 0, false},
		{Provisioned{Manual: 400}, 500, false}, {Provisioned{Maximum: 1000}, 0, true}, {Provisioned{Maximum: 900}, 0, false},
		{Provisioned{Maximum: 4500}, 0, false}, {Provisioned{Maximum: 10_000}, 0, true},
	} {
		if err := c.given.Check(c.least); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
	auto := Provisioned{Maximum: 10_000}
	if auto.Billed(0) != 1000 || auto.Billed(3000) != 3000 || auto.Billed(20_000) != 10_000 {
		t.Error("autoscale is not billed from a tenth of its maximum up")
	}
}
