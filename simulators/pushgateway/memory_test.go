package pushgateway

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"
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

// TestTokensAreBounded renews the tokens of a phone more often than a gateway remembers: it forgets the oldest ones,
// and none that a phone has, or had last.
func TestTokensAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	g := New(Config{Now: func() time.Time { now = now.Add(time.Millisecond); return now }})
	var first, last, current, gone Phone
	first, _ = g.Install("phone", IOS, "")
	gone, _ = g.Install("gone", IOS, "")
	g.Uninstall(gone.ID)
	for range maxReplaced + 10 { // two tokens each
		last = current
		current, _ = g.Rotate("phone")
	}
	if len(g.tokens) > 2*maxReplaced {
		t.Errorf("%d tokens", len(g.tokens))
	}
	for want, p := range map[string]Phone{"BadDeviceToken": first, "Unregistered": last} {
		if refused := g.apnsDeliver(Delivery{Token: p.DeviceToken}); refused == nil || refused.reason != want {
			t.Errorf("%+v, want %s", refused, want)
		}
	}
	if refused := g.apnsDeliver(Delivery{Token: gone.DeviceToken}); refused == nil || refused.reason != "Unregistered" {
		t.Errorf("the phone without the app: %+v", refused)
	}
	if refused := g.apnsDeliver(Delivery{Token: current.DeviceToken}); refused != nil {
		t.Errorf("the phone with the app: %+v", refused)
	}
}

// TestProviderKeysAreBounded sends provider tokens of more keys than a gateway remembers: it forgets those whose tokens
// have expired.
func TestProviderKeysAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	g := New(Config{Now: func() time.Time { return now }})
	send := func(key, age int) (reason string) {
		part := func(format string, args ...any) string {
			return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, format, args...))
		}
		r := httptest.NewRequest("POST", "/3/device/x", nil)
		r.Header.Set("Authorization", "bearer "+part(`{"alg":"ES256","kid":"%010d"}`, key)+"."+
			part(`{"iss":"TEAM567890","iat":%d}`, now.Unix()-int64(age))+"."+part("signature"))
		if refused := g.checkProviderToken(r); refused != nil {
			return refused.reason
		}
		return ""
	}
	for key := range 2 * maxProviderKeys {
		if refused := send(key, 0); refused != "" {
			t.Fatal(refused)
		}
	}
	if len(g.providerTokens) > maxProviderKeys {
		t.Errorf("%d keys", len(g.providerTokens))
	}
	now = now.Add(2 * providerTokenLifetime)
	for key := range 2 {
		if refused := send(key, 0); refused != "" {
			t.Error(refused)
		}
	}
	if send(0, 0) != "" || send(0, 1) != "TooManyProviderTokenUpdates" {
		t.Error("a key in use was forgotten")
	}
}
