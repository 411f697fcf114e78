package devicetoken

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// TestDeviceLifecycle uses every access pattern once.
func TestDeviceLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ana := w.as("ana")
	first := w.want(201, ana.call("POST", "/devices", phone("one")))
	w.advance(10 * time.Minute)
	again := phone("one")
	again["expoPushToken"] = tokenOf("rotated")
	second := w.want(200, ana.call("POST", "/devices", again))
	if second.body["registeredAt"] != first.body["registeredAt"] || second.body["updatedAt"] == first.body["updatedAt"] ||
		second.body["expoPushToken"] != tokenOf("rotated") {
		t.Errorf("refreshed as %s", second.raw)
	}
	if want := float64(w.now().Add(lifetime).Unix()); second.body["expiresAt"] != want {
		t.Errorf("expiresAt %v, want %v", second.body["expiresAt"], want)
	}
	w.want(200, ana.call("PUT", "/devices/one", map[string]any{"expoPushToken": tokenOf("third")}))
	if got := w.want(200, ana.call("GET", "/devices/one", nil)); got.body["expoPushToken"] != tokenOf("third") {
		t.Error(got.raw)
	}
	if got := w.want(200, ana.call("GET", "/devices", nil)); len(got.body["devices"].([]any)) != 1 {
		t.Error(got.raw)
	}
	if got := w.want(200, ana.call("POST", "/devices/one/deactivate", nil)); got.body["isActive"] != false {
		t.Error(got.raw)
	}
	if got := w.want(200, ana.call("GET", "/devices", nil)); strings.TrimSpace(got.raw) != `{"devices":[]}` {
		t.Error(got.raw)
	}
	w.want(204, ana.call("DELETE", "/devices/one", nil))
	w.want(404, ana.call("DELETE", "/devices/one", nil))
	if n := len(w.items()); n != 0 {
		t.Errorf("%d items are left", n)
	}
	if got := w.service.Stats(); got.Registered != 1 || got.Refreshed != 2 {
		t.Errorf("%+v", got)
	}
}

// TestOtherUsersDevicesAreNotFound checks that every request for another user's device gets the same response, byte for
// byte, as one for a device that does not exist.
func TestOtherUsersDevicesAreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(201, w.as("ana").call("POST", "/devices", phone("here")))
	bob := w.as("bob")
	renewal := map[string]any{"expoPushToken": tokenOf("bobs")}
	for _, c := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/devices/%s", nil}, {"PUT", "/devices/%s", renewal}, {"POST", "/devices/%s/deactivate", nil},
		{"DELETE", "/devices/%s", nil},
	} {
		foreign := w.want(404, bob.call(c.method, fmt.Sprintf(c.path, "here"), c.body))
		unknown := w.want(404, bob.call(c.method, fmt.Sprintf(c.path, "gone"), c.body))
		if foreign.raw != unknown.raw {
			t.Errorf("%s %s: %s, but %s of one that is not there", c.method, c.path, foreign.raw, unknown.raw)
		}
	}
	w.want(204, bob.call("DELETE", "/devices", nil))
	if got := w.want(200, w.as("ana").call("GET", "/devices/here", nil)); got.body["isActive"] != true ||
		got.body["expoPushToken"] != tokenOf("here") {
		t.Errorf("ana's device became %s", got.raw)
	}
}

// TestConcurrentRegistrations checks that concurrent registrations leave one item, with the token of one of them
// (PE-R1).
func TestConcurrentRegistrations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ana := w.as("ana")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			body := phone("one")
			body["expoPushToken"] = tokenOf(fmt.Sprint("token-", i))
			if got := ana.call("POST", "/devices", body); got.status != 200 && got.status != 201 {
				t.Error(got.raw)
			}
		})
	}
	all.Wait()
	last := w.want(200, ana.call("PUT", "/devices/one", map[string]any{"expoPushToken": tokenOf("newest")}))
	items := w.items()
	if len(items) != 1 || ddb.Text(items[0]["expoPushToken"]) != tokenOf("newest") ||
		last.body["registeredAt"] != string(timestamp(w.now())) {
		t.Errorf("%v", items)
	}
	if got := w.service.Stats(); got.Registered != 1 || got.Refreshed != 20 {
		t.Errorf("%+v", got)
	}
}

// TestDeviceDeletedDuringRegistration checks that a device deleted during its registration is created after all; one
// that is deleted in every attempt ends with 503, and the phone retries.
func TestDeviceDeletedDuringRegistration(t *testing.T) {
	t.Parallel()
	for deletions, want := range map[int]int{1: 201, 2: 201, 3: 503} {
		t.Run(fmt.Sprint(deletions), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.want(201, w.as("ana").call("POST", "/devices", phone("one")))
			remaining := deletions
			w.calls.before = func(operation string) {
				switch {
				case operation == "UpdateItem":
					w.putOrDelete(false)
					remaining--
				case operation == "PutItem" && remaining > 0:
					w.putOrDelete(true)
				}
			}
			w.want(want, w.as("ana").call("POST", "/devices", phone("one")))
		})
	}
}

func (w *world) putOrDelete(put bool) {
	key := ddb.Item{"userId": ddb.Str("ana"), "deviceId": ddb.Str("one")}
	var err error
	if put {
		_, err = w.client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(TableName(w.prefix, "")),
			Item: key})
	} else {
		_, err = w.client.DeleteItem(context.Background(),
			&dynamodb.DeleteItemInput{TableName: aws.String(TableName(w.prefix, "")), Key: key})
	}
	if err != nil {
		w.t.Error(err)
	}
}

// TestDeletionLeavesNothing checks that a deletion also removes a phone that registers in the meantime
// (PE-R7).
func TestDeletionLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ana := w.as("ana")
	for i := range 30 {
		w.want(201, ana.call("POST", "/devices", phone(fmt.Sprint("phone-", i))))
	}
	w.want(201, w.as("bob").call("POST", "/devices", phone("bobs")))
	late := true
	w.calls.reset()
	w.calls.before = func(operation string) {
		if operation == "DeleteItem" && late {
			late = false
			w.putOrDelete(true)
		}
	}
	w.want(204, ana.call("DELETE", "/devices", nil))
	if items := w.items(); len(items) != 1 || ddb.Text(items[0]["userId"]) != "bob" {
		t.Errorf("left: %v", items)
	}
	if got := strings.Count(w.calls.all(), "DeleteItem"); got != 31 {
		t.Errorf("%d deletions of 31", got)
	}
}

// TestPushesStopAtExpiry checks that a device gets no pushes from expiresAt on, though TTL has not deleted the item
// (PE-R2, PE-D3).
func TestPushesStopAtExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(201, w.as("ana").call("POST", "/devices", phone("one")))
	for _, step := range []struct {
		pass time.Duration
		want int
	}{{lifetime - time.Second, 1}, {time.Second, 0}} {
		w.advance(step.pass)
		if got := w.want(200, w.as("ana").call("GET", "/devices", nil)); len(got.body["devices"].([]any)) != step.want {
			t.Errorf("after %s more: %s", step.pass, got.raw)
		}
	}
	w.want(200, w.as("ana").call("POST", "/devices", phone("one"))) // which reactivates it
	if got := w.want(200, w.as("ana").call("GET", "/devices", nil)); len(got.body["devices"].([]any)) != 1 {
		t.Error(got.raw)
	}
}

func TestNewRequiresDependencies(t *testing.T) {
	t.Parallel()
	valid := Config{Client: dynamodb.New(dynamodb.Options{}), Tokens: newWorld(t).issuer, AdminToken: adminToken}
	for name, change := range map[string]func(*Config){
		"client":      func(c *Config) { c.Client = nil },
		"Tokens":      func(c *Config) { c.Tokens = nil },
		"admin token": func(c *Config) { c.AdminToken = "" },
		"environment": func(c *Config) { c.Env = "Dev!" },
	} {
		c := valid
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if _, err := New(valid); err != nil || dbtest.Start().IsZero() {
		t.Error(err)
	}
}
