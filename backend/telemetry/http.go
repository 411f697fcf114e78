package telemetry

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

const (
	maxBody         = 64 << 10 // bytes, of every request but readings
	maxReadingsBody = 5 << 20  // bytes
	headerAPIKey    = "X-API-Key"
)

// Mount adds every route of the telemetry API, all below /telemetry, to mux.
func (s *Service) Mount(mux *http.ServeMux) error {
	api := humago.New(mux, openAPIConfig())
	r := routes{Service: s, api: api}
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		s.stats.requests.Add(1)
		next(ctx)
	})
	r.devices()
	r.readings()
	r.apiKeys()
	r.operations()
	return mountDocs(mux, api.OpenAPI())
}

// routes binds the service's rules to an API.
type routes struct {
	*Service
	api huma.API
}

// access says who may call a route.
type access string

const (
	open  access = ""
	data  access = "apiKey"     // X-API-Key
	admin access = "adminToken" // Authorization: Bearer
)

// reply is an answer with a body.
type reply[T any] struct{ Body T }

// created is an answer with a body and a status of its own.
type created[T any] struct {
	Status int
	Body   T
}

// add registers a route; does is the TL-* ids and what the route does, for the OpenAPI document.
func add[I, O any](r routes, who access, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	op.Tags = []string{tag(op.Path)}
	if op.MaxBodyBytes == 0 {
		op.MaxBodyBytes = maxBody
	}
	if who != open {
		op.Security = []map[string][]string{{string(who): {}}}
		op.Middlewares = append(op.Middlewares, r.guard(who))
	}
	huma.Register(r.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, r.problem(ctx, op.OperationID, err)
		}
		return out, nil
	})
}

// tag groups the operations of the document: the part of the path after /telemetry, and operations for the rest.
func tag(path string) string {
	switch part := strings.Split(path, "/")[2]; part {
	case "devices", "readings", "api-keys":
		return part
	}
	return "operations"
}

type ctxKey struct{}

// guard lets only a good key or token pass (TL-R12). It runs before the body is read.
func (r routes) guard(who access) func(huma.Context, func(huma.Context)) {
	if who == admin {
		return r.guardAdmin
	}
	return r.guardData
}

func (r routes) guardData(ctx huma.Context, next func(huma.Context)) {
	record, err := r.authenticate(ctx.Context(), ctx.Header(headerAPIKey))
	if err != nil {
		r.refuse(ctx, err)
		return
	}
	next(huma.WithValue(ctx, ctxKey{}, record))
}

func (r routes) guardAdmin(ctx huma.Context, next func(huma.Context)) {
	scheme, token, _ := strings.Cut(ctx.Header("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || !r.isAdmin(token) {
		ctx.SetHeader("WWW-Authenticate", `Bearer realm="telemetry admin"`)
		r.refuse(ctx, errBadAdmin)
		return
	}
	next(ctx)
}

func (r routes) devices() {
	register := operation("register-device", http.MethodPost, "/telemetry/devices",
		"Register or re-register a device", "201 the first time, 200 after; confirmation_id and first_registered_at are kept (TL-P1).")
	register.DefaultStatus = http.StatusCreated
	register.Responses = map[string]*huma.Response{"200": {Description: "Registered before, now renewed; the same body"}}
	add(r, data, register,
		func(ctx context.Context, in *struct{ Body registration }) (*created[Device], error) {
			d, isNew, err := r.register(ctx, in.Body)
			if isNew {
				return &created[Device]{http.StatusCreated, d}, err
			}
			return &created[Device]{http.StatusOK, d}, err
		})
	add(r, data, operation("list-devices", http.MethodGet, "/telemetry/devices",
		"List devices", "Latest registration first (TL-P2)."),
		func(ctx context.Context, in *pageQuery) (*reply[devicePage], error) {
			devices, next, err := r.listDevices(ctx, in.Limit, in.Cursor)
			return &reply[devicePage]{devicePage{devices, next}}, err
		})
	add(r, data, operation("get-device", http.MethodGet, "/telemetry/devices/{hardware_id}",
		"Get a device", "As of its latest registration and name (TL-P3)."),
		func(ctx context.Context, in *devicePath) (*reply[Device], error) {
			d, err := r.device(ctx, in.HardwareID)
			return &reply[Device]{d}, err
		})
	add(r, data, operation("name-device", http.MethodPut, "/telemetry/devices/{hardware_id}/name",
		"Name a device", "Readings taken in from now on carry the name; older ones keep theirs (TL-P4, TL-R7)."),
		func(ctx context.Context, in *naming) (*reply[Device], error) {
			d, err := r.nameDevice(ctx, in.HardwareID, in.Body.FriendlyName)
			return &reply[Device]{d}, err
		})
}

func (r routes) readings() {
	add(r, data, ingestOperation(),
		func(ctx context.Context, in *ingestRequest) (*reply[Results], error) {
			if !isJSON(in.ContentType) {
				return nil, &badRequest{http.StatusUnsupportedMediaType, "header.Content-Type", "must be application/json"}
			}
			out, err := r.ingest(ctx, in.RawBody)
			return &reply[Results]{out}, err
		})
	describeIngest(r.api)
	add(r, data, operation("latest-reading", http.MethodGet, "/telemetry/devices/{hardware_id}/readings/latest",
		"Get the latest reading of a device", "The newest by its own time, whenever it arrived (TL-P5)."),
		func(ctx context.Context, in *devicePath) (*reply[Reading], error) {
			reading, err := r.latestReading(ctx, in.HardwareID)
			return &reply[Reading]{reading}, err
		})
	add(r, data, operation("list-readings", http.MethodGet, "/telemetry/devices/{hardware_id}/readings",
		"List readings of a device", "From one time to another, both included (TL-P6)."),
		func(ctx context.Context, in *readingsQuery) (*reply[readingPage], error) {
			readings, next, err := r.Service.readings(ctx, *in)
			return &reply[readingPage]{readingPage{readings, next}}, err
		})
}

func (r routes) apiKeys() {
	add(r, data, operation("check-api-key", http.MethodGet, "/telemetry/api-keys/self",
		"Check the API key of this request", "200 with its record, or 401 (TL-P8)."),
		func(ctx context.Context, _ *struct{}) (*reply[APIKey], error) {
			return &reply[APIKey]{ctx.Value(ctxKey{}).(APIKey)}, nil
		})
	create := operation("create-api-key", http.MethodPost, "/telemetry/api-keys",
		"Create an API key", "The raw key is in this answer and nowhere else (TL-P10).")
	create.DefaultStatus = http.StatusCreated
	add(r, admin, create,
		func(ctx context.Context, in *struct{ Body keyRequest }) (*reply[newKey], error) {
			record, raw, err := r.createAPIKey(ctx, in.Body.Description)
			return &reply[newKey]{newKey{record, raw}}, err
		})
	add(r, admin, operation("list-api-keys", http.MethodGet, "/telemetry/api-keys",
		"List API keys", "Newest first, revoked ones included (TL-P9)."),
		func(ctx context.Context, in *pageQuery) (*reply[keyPage], error) {
			keys, next, err := r.listAPIKeys(ctx, in.Limit, in.Cursor)
			return &reply[keyPage]{keyPage{keys, next}}, err
		})
	add(r, admin, operation("get-api-key", http.MethodGet, "/telemetry/api-keys/{key_id}",
		"Get an API key's record", "Neither the key nor its hash is ever shown."),
		func(ctx context.Context, in *keyPath) (*reply[APIKey], error) {
			record, err := r.apiKey(ctx, in.KeyID)
			return &reply[APIKey]{record}, err
		})
	add(r, admin, operation("revoke-api-key", http.MethodDelete, "/telemetry/api-keys/{key_id}",
		"Revoke an API key", "The record stays, with is_active false; the key is refused from now on (TL-P12)."),
		func(ctx context.Context, in *keyPath) (*reply[APIKey], error) {
			record, err := r.revokeAPIKey(ctx, in.KeyID)
			return &reply[APIKey]{record}, err
		})
}

func (r routes) operations() {
	add(r, open, operation("health", http.MethodGet, "/telemetry/healthz",
		"Health", "200 when the database and its tables answer, else 503."),
		func(ctx context.Context, _ *struct{}) (*reply[health], error) {
			return &reply[health]{health{"ok", Version}}, r.store.reachable(ctx)
		})
	add(r, open, operation("stats", http.MethodGet, "/telemetry/stats",
		"Counters", "Since the service began."),
		func(context.Context, *struct{}) (*reply[Stats], error) {
			return &reply[Stats]{r.Stats()}, nil
		})
}
