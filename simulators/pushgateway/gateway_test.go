package pushgateway_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// clock is a clock that the test controls.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// wait is a push.Wait that advances the test's clock.
func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.advance(d)
	return ctx.Err()
}

// testGateway is a gateway that listens.
type testGateway struct {
	*clock
	gateway *pushgateway.Gateway
	url     string
}

func newTestGateway(t *testing.T, cfg pushgateway.Config) *testGateway {
	t.Helper()
	d := &testGateway{clock: &clock{now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}}
	cfg.Now = d.Now
	d.gateway = pushgateway.New(cfg)
	server := httptest.NewUnstartedServer(d.gateway)
	server.Config.Protocols = pushgateway.Protocols()
	server.Start()
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

func (d *testGateway) install(t *testing.T, platform string) pushgateway.Phone {
	t.Helper()
	p, err := d.gateway.Install("", platform, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (d *testGateway) expo() *push.Expo { return push.NewExpo(d.url, nil, d.wait) }

// sendAll sends one message to each token and returns the results.
func sendAll(t *testing.T, by push.Sender, tokens ...string) []push.Result {
	t.Helper()
	messages := make([]push.Message, len(tokens))
	for i, token := range tokens {
		messages[i] = push.Message{To: token, Title: "Done", Body: "Your photo", Data: map[string]string{"job": "1"}}
	}
	results, err := by.Send(t.Context(), messages)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// TestServicesDeliver checks that each service delivers a message to the phone.
func TestServicesDeliver(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	ios, android := d.install(t, pushgateway.IOS), d.install(t, pushgateway.Android)
	for _, r := range append(sendAll(t, d.expo(), ios.ExpoToken, android.ExpoToken),
		append(sendAll(t, d.fcm(), android.DeviceToken), sendAll(t, d.apns(t), ios.DeviceToken)...)...) {
		if r.Err != nil || r.ID == "" {
			t.Errorf("result %+v", r)
		}
	}
	want := []string{"expo " + ios.ID, "expo " + android.ID, "fcm " + android.ID, "apns " + ios.ID}
	got, err := pushgateway.NewClient(d.url, nil).Deliveries(t.Context(), 0)
	if err != nil || len(got) != len(want) {
		t.Fatalf("deliveries %+v, error %v", got, err)
	}
	for i, delivery := range got {
		if delivery.Service+" "+delivery.Phone != want[i] || delivery.Title != "Done" || delivery.Body != "Your photo" ||
			string(delivery.Data) != `{"job":"1"}` ||
			delivery.Number != int64(i+1) || !delivery.At.Equal(d.Now()) {
			t.Errorf("delivery %d: %+v", i, delivery)
		}
	}
	if later := d.gateway.Deliveries(2, 1); len(later) != 1 || later[0].Number != 3 {
		t.Errorf("after the second, one: %+v", later)
	}
}

// TestUninstalled checks that Expo reports an uninstalled app first in a receipt and then in tickets, and FCM and APNs
// at once.
func TestUninstalled(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{ReceiptAfter: 15 * time.Minute})
	android, ios := d.install(t, pushgateway.Android), d.install(t, pushgateway.IOS)
	d.gateway.Uninstall(android.ID)
	d.gateway.Uninstall(ios.ID)
	expo := d.expo()
	first := sendAll(t, expo, android.ExpoToken)[0]
	if first.Err != nil {
		t.Fatalf("the first ticket: %v", first.Err)
	}
	for _, c := range []struct {
		passed time.Duration
		there  bool
	}{{0, false}, {15 * time.Minute, true}, {24 * time.Hour, false}} {
		d.advance(c.passed)
		receipts, err := expo.Receipts(t.Context(), []string{first.ID})
		if reported, exists := receipts[first.ID]; err != nil || exists != c.there || exists && !errors.Is(reported,
			push.ErrUnregistered) {
			t.Errorf("after %v: %v, error %v", c.passed, receipts, err)
		}
	}
	if r := sendAll(t, expo, android.ExpoToken)[0]; !errors.Is(r.Err, push.ErrUnregistered) {
		t.Errorf("the next ticket: %v", r.Err)
	}
	if r := sendAll(t, d.fcm(), android.DeviceToken)[0]; !errors.Is(r.Err, push.ErrUnregistered) {
		t.Errorf("FCM: %v", r.Err)
	}
	if r := sendAll(t, d.apns(t), ios.DeviceToken)[0]; !errors.Is(r.Err, push.ErrUnregistered) || r.Since.IsZero() ||
		r.Since.After(d.Now()) {
		t.Errorf("APNs: %+v", r)
	}
	if all := d.gateway.Deliveries(0, 0); len(all) != 0 {
		t.Errorf("delivered: %+v", all)
	}
}

// TestReinstallationAndRotationChangeTokens checks that a reinstallation keeps the Expo token of an iPhone and changes
// that of Android, and that a rotation changes both.
func TestReinstallationAndRotationChangeTokens(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	client := pushgateway.NewClient(d.url, nil)
	for _, c := range []struct {
		platform string
		same     bool
	}{{pushgateway.IOS, true}, {pushgateway.Android, false}} {
		before := d.install(t, c.platform)
		if _, err := client.Uninstall(t.Context(), before.ID); err != nil {
			t.Fatal(err)
		}
		after, err := client.Install(t.Context(), before.ID, c.platform, "")
		if err != nil || (after.ExpoToken == before.ExpoToken) != c.same || after.DeviceToken == before.DeviceToken ||
			!after.Installed {
			t.Errorf("%s: %+v and then %+v, error %v", c.platform, before, after, err)
		}
		rotated, err := client.Rotate(t.Context(), before.ID)
		if err != nil || rotated.ExpoToken == after.ExpoToken || rotated.DeviceToken == after.DeviceToken {
			t.Errorf("%s rotated: %+v, error %v", c.platform, rotated, err)
		}
		if r := sendAll(t, d.expo(), rotated.ExpoToken)[0]; r.Err != nil {
			t.Errorf("to the new token: %v", r.Err)
		}
		sendAll(t, d.expo(), after.ExpoToken)
		if r := sendAll(t, d.expo(), after.ExpoToken)[0]; !errors.Is(r.Err, push.ErrUnregistered) {
			t.Errorf("to the old token: %v", r.Err)
		}
	}
	if _, err := client.Rotate(t.Context(), "nobody"); err == nil {
		t.Error("rotated the tokens of nobody")
	}
	if _, err := client.Install(t.Context(), "", "windows", ""); err == nil || !strings.Contains(err.Error(),
		"ios or android") {
		t.Errorf("a phone of another kind: %v", err)
	}
}

// TestTokensDependOnlyOnTheSeed checks that equal seeds give equal tokens.
func TestTokensDependOnlyOnTheSeed(t *testing.T) {
	t.Parallel()
	first := func(seed uint64) string {
		p, err := pushgateway.New(pushgateway.Config{Seed: seed}).Install("", pushgateway.IOS, "")
		if err != nil {
			t.Fatal(err)
		}
		return p.ID + p.ExpoToken + p.DeviceToken
	}
	if one, again := first(1), first(1); one != again || one == first(2) {
		t.Error("tokens do not follow from the seed alone")
	}
}

// TestFaults checks that services fail as set, and that a sender that waits and retries succeeds.
func TestFaults(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	ios, android := d.install(t, pushgateway.IOS), d.install(t, pushgateway.Android)
	fail := func(body string, want int) {
		t.Helper()
		res, err := http.Post(d.url+"/gateway/faults", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != want {
			t.Errorf("%s: %s", body, res.Status)
		}
	}
	began := d.Now()
	fail(`{"service":"expo","status":503,"retryAfter":7}`, 204)
	fail(`{"service":"expo","code":"MessageRateExceeded"}`, 204)
	fail(`{"service":"fcm","status":429,"retryAfter":20}`, 204)
	fail(`{"service":"apns","status":503}`, 204)
	for _, r := range append(sendAll(t, d.expo(), ios.ExpoToken), append(sendAll(t, d.fcm(), android.DeviceToken),
		sendAll(t, d.apns(t), ios.DeviceToken)...)...) {
		if r.Err != nil {
			t.Errorf("after the faults: %v", r.Err)
		}
	}
	// The services ask for 7 and 20 s; the sender's own pauses are random, 0.5 to 1.5 times 2 and 1 s.
	least, most := (7+20)*time.Second+1500*time.Millisecond, (7+20)*time.Second+4500*time.Millisecond
	if passed := d.Now().Sub(began); passed < least || passed > most {
		t.Errorf("waited %v, want %v to %v", passed, least, most)
	}
	for _, body := range []string{`{"service":"sms","status":500}`, `{"service":"fcm"}`, `{"service":"expo","status":200}`,
		`{"service":"expo","status":500,"times":-1}`} {
		fail(body, 422)
	}
	fail(`{"service":"expo","unknown":1}`, 400)
	fail(`nonsense`, 400)
}
