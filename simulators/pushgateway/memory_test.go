package pushgateway

import (
	"encoding/json"
	"testing"
)

// TestPhonesAreBounded installs the app on more phones than a gateway supports: the error has one line, and the other
// phones still work.
func TestPhonesAreBounded(t *testing.T) {
	t.Parallel()
	g := New(Config{})
	first, err := g.Install("first", Android, "")
	if err != nil {
		t.Fatal(err)
	}
	for range maxPhones - 1 {
		if _, err := g.Install("", IOS, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Install("", IOS, ""); err == nil || len(g.phones) != maxPhones {
		t.Errorf("%d phones, and one more: %v", len(g.phones), err)
	}
	if again, err := g.Install("first", Android, ""); err != nil || again.DeviceToken == first.DeviceToken {
		t.Errorf("a phone that is known: %+v, %v", again, err)
	}
}

// TestMemoryIsBounded exceeds the limits of deliveries, in bytes, and of faults.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	g := New(Config{})
	data := make(json.RawMessage, 1<<20) // shared by all, so that the test itself takes little memory
	for range 3000 {
		g.deliver(Delivery{Data: data})
	}
	sum, all := 0, g.Deliveries(0, 0)
	for _, d := range all {
		sum += len(d.Data)
	}
	if sum > 1<<30 || sum < 500<<20 || all[len(all)-1].Number != 3000 || all[0].Number != 3001-int64(len(all)) {
		t.Errorf("%d bytes in %d deliveries, from %d", sum, len(all), all[0].Number)
	}
	for range 50_000 {
		if err := g.Fail(Fault{Service: APNs, Status: 503, Times: 2}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if f, ok := g.takeFault(APNs); !ok || f.Status != 503 {
				t.Fatal("a fault is lost")
			}
		}
	}
	if len(g.faults) != 0 {
		t.Errorf("%d faults are left of those that were used up", len(g.faults))
	}
	for range maxFaults {
		_ = g.Fail(Fault{Service: FCM, Status: 503, Times: 1})
	}
	if g.Fail(Fault{Service: FCM, Status: 503, Times: 1}) == nil || len(g.faults) != maxFaults {
		t.Errorf("%d faults wait", len(g.faults))
	}
}
