package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/access"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

// Kinds of API keys.
const (
	unknownKey = "an unknown key"
	cutShort   = "a key cut short"
	revokedKey = "a revoked key"
	activeKey  = "an API key"
)

// Access returns who may do what with the telemetry. All callers with a key share the devices.
func Access() access.System {
	find := `Query of index "api_key_hash_index" of "api_keys"`
	refused := func(name string, asks ...string) access.Kind {
		return access.Kind{Name: name, Scheme: "apiKey", Status: http.StatusUnauthorized, Calls: asks}
	}
	return access.System{
		Name: "telemetry", Title: "Sensor telemetry",
		Kinds: append([]access.Kind{
			{Name: access.None}, refused(unknownKey, find, find, find), refused(cutShort),
			refused(revokedKey, find, `GetItem of "api_keys" where "key_id = '{revoked}'", consistent`),
			{Name: activeKey, Scheme: "apiKey"},
		}, access.Operators("adminToken")...),
		Open: access.MonitoringOperations(),
	}
}

func (w *world) access(sc *godog.ScenarioContext) {
	stage := &access.Tester{System: Access(), Service: w.Service, NewUser: w.fleetOwner}
	stage.UseDynamoDB(w.World, "api_keys", "devices", "device_readings")
	stage.Steps(sc)
}

// fleetOwner creates a user with an API key, and a device with a name and a reading. Looking up an unknown key takes no
// real time.
func (w *world) fleetOwner(ctx context.Context, name, _ string) (access.TestUser, error) {
	if w.wait == nil {
		w.wait = func(ctx context.Context, d time.Duration) error { w.Clock.Advance(d); return ctx.Err() }
		if err := w.start(); err != nil {
			return access.TestUser{}, err
		}
	}
	p := access.TestUser{Values: access.Values{}, Credentials: access.OperatorCredentials(adminToken)}
	for _, key := range []string{name, "revoked " + name} {
		if err := w.createKey(ctx, key); err != nil {
			return p, err
		}
	}
	good, revoked, d := w.keys[name], w.keys["revoked "+name], w.device(name)
	p.AddPrivateValue("key_id", good.id)
	p.AddPrivateValue("revoked", revoked.id)
	p.AddPrivateValue("hardware_id", d.hardwareID)
	p.AddPrivateValue("boot_id", d.bootID)
	p.Private = append(p.Private, name, good.raw, revoked.raw)
	p.Values["ingest-readings.readings"] = []reading{d.reading(w.Clock.Now().Add(-time.Minute))}
	p.Credentials[activeKey], p.Credentials[revokedKey] = anyCredential(good.raw), anyCredential(revoked.raw)
	p.Credentials[cutShort], p.Credentials[unknownKey] = anyCredential(good.raw[1:]),
		anyCredential(strings.Repeat("0", len(good.raw)))
	for _, r := range []struct {
		as           httpapi.Credential
		method, path string
		body         any
	}{
		{administrator, http.MethodDelete, "/api-keys/{revoked}", nil},
		{apiKeyCredential(good.raw), http.MethodPost, "/devices", d.registration()},
		{apiKeyCredential(good.raw), http.MethodPut, "/devices/{hardware_id}/name", map[string]string{"friendly_name": name}},
		{apiKeyCredential(good.raw), http.MethodPost, "/readings",
			map[string]any{"readings": []reading{d.reading(w.Clock.Now())}}},
	} {
		if err := p.CreateResource(ctx, w.Service, r.as, r.method, r.path, r.body, ""); err != nil {
			return p, fmt.Errorf("%s: %w", name, err)
		}
	}
	return p, nil
}

// anyCredential returns a key as every possible credential.
func anyCredential(raw string) httpapi.Credential {
	return httpapi.Combine(apiKeyCredential(raw), httpapi.Bearer(raw))
}
