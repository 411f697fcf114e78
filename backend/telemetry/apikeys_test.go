package telemetry

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// item reads one item of a table by its partition key.
func (w *world) item(table, name, value string) ddb.Item {
	w.t.Helper()
	out, err := w.client.GetItem(w.t.Context(), &dynamodb.GetItemInput{
		TableName: w.service.store.table(table), Key: ddb.Item{name: ddb.Str(value)},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.Item
}

// remove deletes one item of a table by its partition key.
func (w *world) remove(table, name, value string) {
	w.t.Helper()
	if _, err := w.client.DeleteItem(w.t.Context(), &dynamodb.DeleteItemInput{
		TableName: w.service.store.table(table), Key: ddb.Item{name: ddb.Str(value)},
	}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) self(key string) testResponse {
	return w.callWith(http.Header{"X-Api-Key": {key}}, "GET", "/telemetry/api-keys/self", nil)
}

// TestAPIKeyLifecycle checks TL-P8 to TL-P10 and TL-P12: a key is created, shown once, verified, listed, and revoked
// for good.
func TestAPIKeyLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.advance(time.Minute)
	created := w.newKey()
	id, raw := created["key_id"].(string), created["api_key"].(string)
	if len(raw) != 64 || !validUUID(id) || created["is_active"] != true ||
		created["created_at"] != "2026-02-03T10:31:00Z" {
		t.Errorf("made %v", created)
	}
	if self := w.want(200, w.self(raw)).body; self["key_id"] != id || self["api_key"] != nil {
		t.Errorf("self %v", self)
	}
	listed := w.want(200, w.admin("GET", "/telemetry/api-keys?limit=1", nil))
	newest := listed.body["api_keys"].([]any)[0].(map[string]any)
	if newest["key_id"] != id || newest["api_key"] != nil || newest["api_key_hash"] != nil {
		t.Errorf("newest %v", newest)
	}
	rest := w.want(200, w.admin("GET", "/telemetry/api-keys?cursor="+listed.body["next_cursor"].(string), nil)).body
	if len(rest["api_keys"].([]any)) != 1 {
		t.Errorf("second page %v", rest)
	}
	for range 2 { // revoking is idempotent
		if got := w.want(200, w.admin("DELETE", "/telemetry/api-keys/"+id, nil)).body; got["is_active"] != false {
			t.Errorf("revoked %v", got)
		}
		w.want(401, w.self(raw))
	}
	if got := w.want(200, w.admin("GET", "/telemetry/api-keys/"+id, nil)).body; got["is_active"] != false {
		t.Errorf("read %v", got)
	}
	const unknown = "/telemetry/api-keys/550e8400-e29b-41d4-a716-446655440000"
	w.want(404, w.admin("GET", unknown, nil))
	w.want(404, w.admin("DELETE", unknown, nil))
	w.want(404, w.admin("GET", unknown, nil)) // revoking created no key
	w.want(422, w.admin("GET", "/telemetry/api-keys/nonsense", nil))
}

// TestAPIKeySecret checks TL-R11: the stored hash is that of pepper and key, and the key itself is in no item and no
// log, whatever requests use it.
func TestAPIKeySecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := w.newKey()
	raw := created["api_key"].(string)
	w.want(200, w.self(raw))
	w.transport.setFault(func(call) injectedFault {
		return injectedFault{body: `{"__type":"X#ValidationException","message":"no"}`}
	})
	w.want(500, w.self(raw)) // logged as an error
	w.transport.setFault(nil)
	header := http.Header{"X-Api-Key": {raw}}
	w.callWith(header, "POST", "/telemetry/readings", "broken")
	w.callWith(header, "POST", "/telemetry/devices", `{"x":1}`)
	stored := w.item(tableAPIKeys, "key_id", created["key_id"].(string))
	sum := sha256.Sum256([]byte("pepper" + raw))
	if got := ddb.Text(stored["api_key_hash"]); got != hex.EncodeToString(sum[:]) {
		t.Errorf("hash %s", got)
	}
	for name, value := range stored {
		if strings.Contains(ddb.Text(value), raw) {
			t.Errorf("attribute %s holds the raw key", name)
		}
	}
	if log := w.log.String(); strings.Contains(log, raw) || !strings.Contains(log, "request failed") {
		t.Errorf("log: %s", log)
	}
}

// TestAPIKeyGuards checks TL-R12: a caller without a valid key or token gets 401, and nothing is written.
func TestAPIKeyGuards(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	unknown := strings.Repeat("0f", 32)
	for _, route := range []string{
		"POST /telemetry/devices", "GET /telemetry/devices", "GET /telemetry/devices/" + hardwareID(1),
		"PUT /telemetry/devices/" + hardwareID(1) + "/name", "POST /telemetry/readings",
		"GET /telemetry/devices/" + hardwareID(1) + "/readings", "GET /telemetry/devices/" + hardwareID(1) +
			"/readings/latest",
		"GET /telemetry/api-keys/self",
	} {
		method, path, _ := strings.Cut(route, " ")
		w.transport.setFault(nil)
		for _, header := range []http.Header{
			{}, {"X-Api-Key": {""}}, {"X-Api-Key": {"short"}}, {"X-Api-Key": {unknown}},
			{"X-Api-Key": {strings.ToUpper(w.key)}}, {"Authorization": {"Bearer " + adminToken}},
		} {
			w.want(401, w.callWith(header, method, path, `{}`))
		}
		if ops := slices.Compact(w.transport.recorded()); !slices.Equal(ops, []string{"Query"}) {
			t.Errorf("%s without a key reached %v", route, ops)
		}
	}
	w.transport.setFault(nil)
	for _, header := range []http.Header{
		{}, {"Authorization": {"Bearer"}}, {"Authorization": {"Bearer wrong"}}, {"Authorization": {adminToken}},
		{"X-Api-Key": {w.key}},
	} {
		for _, route := range []string{"POST ", "GET ", "GET /550e8400-e29b-41d4-a716-446655440000",
			"DELETE /550e8400-e29b-41d4-a716-446655440000"} {
			method, path, _ := strings.Cut(route, " ")
			got := w.want(401, w.callWith(header, method, "/telemetry/api-keys"+path, `{}`))
			if got.header.Get("WWW-Authenticate") == "" {
				t.Error("401 of an admin route without WWW-Authenticate")
			}
		}
	}
	if got := w.transport.recorded(); len(got) != 0 {
		t.Errorf("admin routes without the token reached %v", got)
	}
}

// TestAPIKeyIndexLag checks TL-D4: an index that lags behind the table neither rejects a new key nor accepts a revoked
// one.
func TestAPIKeyIndexLag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := w.newKey()
	id, raw := created["key_id"].(string), created["api_key"].(string)
	empty := injectedFault{status: 200, body: `{"Count":0,"Items":[],"ScannedCount":0}`}
	stale := injectedFault{status: 200, body: `{"Count":1,"ScannedCount":1,"Items":[{"key_id":{"S":"` + id +
		`"},"is_active":{"BOOL":true}}]}`}
	w.transport.setFault(firstCalls(2, "Query", empty))
	w.want(200, w.self(raw)) // found at the third attempt
	w.transport.setFault(firstCalls(-1, "Query", empty))
	w.want(401, w.self(raw))
	if attempts := len(w.transport.recorded()); attempts != 3 {
		t.Errorf("%d attempts, want 3", attempts)
	}
	w.transport.setFault(firstCalls(-1, "Query", stale))
	w.want(200, w.self(raw))
	w.want(401, w.self(strings.Repeat("0f", 32))) // the hash of the base item is compared too
	w.want(200, w.admin("DELETE", "/telemetry/api-keys/"+id, nil))
	w.want(401, w.self(raw))
	w.remove(tableAPIKeys, "key_id", id)
	w.want(401, w.self(raw))
}

// TestAPIKeyLastUse checks TL-P11: the last use is recorded at once and then at most once in five minutes, by a
// condition.
func TestAPIKeyLastUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		after time.Duration
		notes bool
	}{
		{0, true}, {0, false}, {4*time.Minute + 59*time.Second, false}, {time.Second, true},
		{time.Minute, false}, {time.Hour, true},
	} {
		w.advance(c.after)
		w.transport.setFault(nil)
		w.want(200, w.self(w.key))
		if notes := slices.Contains(w.transport.recorded(), "UpdateItem"); notes != c.notes {
			t.Errorf("after %s: noted %v, want %v", c.after, notes, c.notes)
		}
	}
	if got := w.want(200, w.self(w.key)).body["last_used_at"]; got != string(w.service.now()) {
		t.Errorf("last used %v", got)
	}
	w.advance(time.Hour)
	w.transport.setFault(firstCalls(9, "UpdateItem",
		injectedFault{body: `{"__type":"X#ValidationException","message":"no"}`}))
	w.want(200, w.self(w.key)) // the key is valid even if its use cannot be recorded
}

// TestNewRequiresSettings checks that New names what is missing and what to set.
func TestNewRequiresSettings(t *testing.T) {
	t.Parallel()
	valid := Config{Client: dynamodb.New(dynamodb.Options{}), Pepper: "p", AdminToken: "a"}
	for want, change := range map[string]func(*Config){
		"set API_KEY_PEPPER": func(c *Config) { c.Pepper = "" },
		"admin token":        func(c *Config) { c.AdminToken = "" },
		"set Config.Client":  func(c *Config) { c.Client = nil },
		"is negative":        func(c *Config) { c.Retention = -time.Second },
	} {
		cfg := valid
		change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
