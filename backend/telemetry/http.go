package telemetry

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

const maxReadingsBody = 5 << 20 // bytes

// routes connects the service to an API and to its callers.
type routes struct {
	*Service
	api         *web.API
	data, admin *web.Access
}

func (r routes) devices() {
	register := web.CreateOperation("register-device", http.MethodPost, "/telemetry/devices",
		"Register or re-register a device", "Returns 201 for a new device, and 200 for an existing one, which keeps confirmation_id and first_registered_at (TL-P1). Safe to repeat.")
	register.Responses = map[string]*huma.Response{"200": {Description: "The device existed and was updated; same body"}}
	web.Add(r.api, r.data, register,
		func(ctx context.Context, in *struct{ Body registration }) (*web.Created[Device], error) {
			return web.NewCreated(r.register(ctx, in.Body))
		})
	web.Add(r.api, r.data, web.Operation("list-devices", http.MethodGet, "/telemetry/devices",
		"List devices", "Most recently active first (TL-P2)."),
		func(ctx context.Context, in *pageQuery) (*web.Reply[devicePage], error) {
			devices, next, err := r.listDevices(ctx, in.Limit, in.Cursor)
			return &web.Reply[devicePage]{Body: devicePage{devices, next}}, err
		})
	web.Add(r.api, r.data, web.Operation("get-device", http.MethodGet, "/telemetry/devices/{hardware_id}",
		"Get a device", "The device with its latest registration, name and activity (TL-P3)."),
		func(ctx context.Context, in *devicePath) (*web.Reply[Device], error) {
			d, err := r.device(ctx, in.HardwareID)
			return &web.Reply[Device]{Body: d}, err
		})
	web.Add(r.api, r.data, web.Operation("name-device", http.MethodPut, "/telemetry/devices/{hardware_id}/name",
		"Name a device", "Readings ingested from now on carry the name; older ones keep theirs (TL-P4, TL-R7)."),
		func(ctx context.Context, in *nameRequest) (*web.Reply[Device], error) {
			d, err := r.nameDevice(ctx, in.HardwareID, in.Body.FriendlyName)
			return &web.Reply[Device]{Body: d}, err
		})
}

func (r routes) readings() {
	web.Add(r.api, r.data, ingestOperation(),
		func(ctx context.Context, in *ingestRequest) (*web.Reply[Results], error) {
			if !isJSON(in.ContentType) {
				return nil, &web.Error{Status: http.StatusUnsupportedMediaType, Location: "header.Content-Type",
					Message: "must be application/json"}
			}
			out, err := r.ingest(ctx, in.RawBody)
			return &web.Reply[Results]{Body: out}, err
		})
	documentIngestBody(r.api)
	web.Add(r.api, r.data, web.Operation("latest-reading", http.MethodGet,
		"/telemetry/devices/{hardware_id}/readings/latest",
		"Get the latest reading of a device", "The newest by timestamp_ms, regardless of arrival (TL-P5)."),
		func(ctx context.Context, in *devicePath) (*web.Reply[Reading], error) {
			reading, err := r.latestReading(ctx, in.HardwareID)
			return &web.Reply[Reading]{Body: reading}, err
		})
	web.Add(r.api, r.data, web.Operation("list-readings", http.MethodGet, "/telemetry/devices/{hardware_id}/readings",
		"List readings of a device", "Readings in a time range, inclusive (TL-P6)."),
		func(ctx context.Context, in *readingsQuery) (*web.Reply[readingPage], error) {
			readings, next, err := r.Service.readings(ctx, *in)
			return &web.Reply[readingPage]{Body: readingPage{readings, next}}, err
		})
}

func (r routes) apiKeys() {
	web.Add(r.api, r.data, web.Operation("check-api-key", http.MethodGet, "/telemetry/api-keys/self",
		"Check the API key of this request", "Returns its record, or 401 (TL-P8)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[APIKey], error) {
			return &web.Reply[APIKey]{Body: ctx.Value(ctxKey{}).(APIKey)}, nil
		})
	create := web.CreateOperation("create-api-key", http.MethodPost, "/telemetry/api-keys",
		"Create an API key",
		"Only this response contains the raw key (TL-P10). A repeat creates another key; if a response was lost,"+
			" the list shows its key as never used, so that you can revoke it (TL-D8).")
	web.Add(r.api, r.admin, create,
		func(ctx context.Context, in *struct{ Body keyRequest }) (*web.Reply[newKey], error) {
			record, raw, err := r.createAPIKey(ctx, in.Body.Description)
			return &web.Reply[newKey]{Body: newKey{record, raw}}, err
		})
	web.Add(r.api, r.admin, web.Operation("list-api-keys", http.MethodGet, "/telemetry/api-keys",
		"List API keys", "Newest first, revoked ones included (TL-P9)."),
		func(ctx context.Context, in *pageQuery) (*web.Reply[keyPage], error) {
			keys, next, err := r.listAPIKeys(ctx, in.Limit, in.Cursor)
			return &web.Reply[keyPage]{Body: keyPage{keys, next}}, err
		})
	web.Add(r.api, r.admin, web.Operation("get-api-key", http.MethodGet, "/telemetry/api-keys/{key_id}",
		"Get an API key's record", "Neither the key nor its hash is ever shown."),
		func(ctx context.Context, in *keyPath) (*web.Reply[APIKey], error) {
			record, err := r.apiKey(ctx, in.KeyID)
			return &web.Reply[APIKey]{Body: record}, err
		})
	web.Add(r.api, r.admin, web.Operation("revoke-api-key", http.MethodDelete, "/telemetry/api-keys/{key_id}",
		"Revoke an API key", "The record remains, with is_active false; the key is rejected from now on (TL-P12)."),
		func(ctx context.Context, in *keyPath) (*web.Reply[APIKey], error) {
			record, err := r.revokeAPIKey(ctx, in.KeyID)
			return &web.Reply[APIKey]{Body: record}, err
		})
}

func (r routes) operations() {
	web.Add(r.api, r.admin, web.Operation("hot-devices", http.MethodGet, "/telemetry/hot-devices",
		"List the hottest devices", "The devices with the most writes to this instance in the last minute, and which of them should be sharded (TL-L3, TL-R15)."),
		func(context.Context, *struct{}) (*web.Reply[hotDevices], error) {
			return &web.Reply[hotDevices]{Body: hotDevices{r.heat.hottest(r.cfg.Now())}}, nil
		})
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/telemetry/healthz",
		"Health", "Returns 200 when the database and its tables respond, otherwise 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return &web.Reply[health]{Body: health{"ok", Version}}, r.store.reachable(ctx)
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/telemetry/stats",
		"Counters", "Counted since the service started."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) {
			return &web.Reply[Stats]{Body: r.Stats()}, nil
		})
}
