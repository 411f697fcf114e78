package devicetoken

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/push"
)

var notice = map[string]any{"title": "Ready", "body": "Your photo is ready.", "data": map[string]string{"jobId": "42"}}

func TestPushReachesActiveDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ana := w.as("ana")
	w.want(201, ana.call("POST", "/devices", phone("old")))
	w.advance(lifetime)
	for _, id := range []string{"dead", "good", "out", "slow"} {
		w.want(201, ana.call("POST", "/devices", phone(id)))
	}
	w.want(200, ana.call("POST", "/devices/out/deactivate", nil))
	w.want(201, w.as("bob").call("POST", "/devices", phone("bobs")))
	w.sender.errs = map[string]error{
		tokenOf("dead"): fmt.Errorf("%w (DeviceNotRegistered)", push.ErrUnregistered), tokenOf("slow"): push.ErrRateLimited,
	}
	got := w.want(200, w.admin().call("POST", "/users/ana/push", notice))
	if got.body["sent"] != 1.0 || got.body["failed"] != 1.0 || got.body["deactivated"] != 1.0 ||
		len(got.body["devices"].([]any)) != 3 {
		t.Error(got.raw)
	}
	if m := w.sender.sent; len(m) != 3 || m[1].To != tokenOf("good") || m[1].Title != "Ready" ||
		m[1].Data["jobId"] != "42" {
		t.Errorf("%+v", m)
	}
	if got := w.want(200, ana.call("GET", "/devices/dead", nil)); got.body["isActive"] != false {
		t.Error(got.raw)
	}
	if strings.Contains(got.raw, "ExponentPushToken") || strings.Contains(w.log.String(), "ExponentPushToken") {
		t.Error("a token shows in the answer or the log")
	}
	if again := w.want(200, w.admin().call("POST", "/users/ana/push", notice)); again.body["deactivated"] != 0.0 {
		t.Error(again.raw)
	}
	if s := w.service.Stats(); s.Sent != 2 || s.Failed != 2 || s.Deactivated != 1 {
		t.Errorf("%+v", s)
	}
}

// TestRotatedTokenIsNotDeactivated checks that a device that registers a new token while the old one is
// found dead stays active.
func TestRotatedTokenIsNotDeactivated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ana := w.as("ana")
	w.want(201, ana.call("POST", "/devices", phone("one")))
	w.sender.errs = map[string]error{tokenOf("one"): push.ErrUnregistered}
	w.sender.afterSend = func() {
		w.want(200, ana.call("PUT", "/devices/one", map[string]any{"expoPushToken": tokenOf("fresh")}))
	}
	if got := w.want(200, w.admin().call("POST", "/users/ana/push", notice)); got.body["deactivated"] != 0.0 ||
		got.body["failed"] != 1.0 {
		t.Error(got.raw)
	}
	if got := w.want(200, ana.call("GET", "/devices/one", nil)); got.body["isActive"] != true {
		t.Error(got.raw)
	}
}

// TestPushSucceedsWhenDeactivationFails checks that the report of a push succeeds, because the other
// devices have received it, and that the next push finds the dead device again.
func TestPushSucceedsWhenDeactivationFails(t *testing.T) {
	t.Parallel()
	var back atomic.Bool
	w := newWorld(t, func(c *Config) {
		c.Client = dbtest.Before(c.Client, "UpdateItem", func() error {
			if back.Load() {
				return nil
			}
			return errors.New("the line is cut")
		})
	})
	ana := w.as("ana")
	w.want(201, ana.call("POST", "/devices", phone("dead")))
	w.want(201, ana.call("POST", "/devices", phone("good")))
	w.sender.errs = map[string]error{tokenOf("dead"): push.ErrUnregistered}
	got := w.want(200, w.admin().call("POST", "/users/ana/push", notice))
	if got.body["sent"] != 1.0 || got.body["failed"] != 1.0 || !strings.Contains(w.log.String(),
		"unregistered device not deactivated") {
		t.Error(got.raw)
	}
	if strings.Contains(w.log.String(), "ExponentPushToken") {
		t.Error("a token shows in the log")
	}
	back.Store(true)
	if got := w.want(200, w.admin().call("POST", "/users/ana/push", notice)); got.body["deactivated"] != 1.0 {
		t.Error(got.raw)
	}
}

func TestPushWithoutPushServiceIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.Push = nil })
	if got := w.want(503, w.admin().call("POST", "/users/ana/push", notice)); !strings.Contains(got.raw, "--push-url") {
		t.Error(got.raw)
	}
}

func TestDiagnosisExplainsReasons(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ana := w.as("ana")
	w.want(201, ana.call("POST", "/devices", phone("a-old")))
	w.advance(lifetime - time.Minute)
	w.want(201, ana.call("POST", "/devices", phone("b-out")))
	w.want(200, ana.call("POST", "/devices/b-out/deactivate", nil))
	w.want(201, ana.call("POST", "/devices", phone("c-good")))
	w.advance(time.Minute)
	item := keyOf("ana", "d-odd")
	item["expoPushToken"], item["isActive"], item["expiresAt"] = ddb.Str("apns:1234"),
		&types.AttributeValueMemberBOOL{Value: true}, ddb.Number(expiry(w.now()))
	if _, err := w.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(TableName(w.prefix, "")),
		Item: item}); err != nil {
		t.Fatal(err)
	}
	got := w.want(200, w.admin().call("GET", "/users/ana/diagnosis", nil))
	var all []string
	for _, d := range got.body["devices"].([]any) {
		d := d.(map[string]any)
		all = append(all, fmt.Sprint(d["deviceId"], " ", d["receives"], " ", d["reasons"]))
	}
	want := "a-old false [expired], b-out false [inactive], c-good true [], d-odd false [malformed_token]"
	if found := strings.Join(all, ", "); found != want {
		t.Errorf("%s, want %s", found, want)
	}
	if strings.Contains(got.raw, "ExponentPushToken") || strings.Contains(got.raw, "apns:") {
		t.Errorf("a token shows: %s", got.raw)
	}
	pushed := w.want(200, w.admin().call("POST", "/users/ana/push", notice))
	if len(w.sender.sent) != 1 || pushed.body["sent"] != 1.0 || pushed.body["failed"] != 1.0 {
		t.Errorf("%s, and sent were %+v", pushed.raw, w.sender.sent)
	}
}
