package devicetoken

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// routes connects the service to an API and to its callers.
type routes struct {
	*Service
	api         *web.API
	user, admin *web.Access
}

// caller returns the user whose token admitted the request (PE-R4).
func caller(ctx context.Context) UserID { return UserID(auth.From(ctx).Subject) }

func (r routes) registration() {
	register := web.Creating("register-device", http.MethodPost, "/devicetoken/devices",
		"Register a device", "201 the first time, 200 when the device was there and is refreshed: registeredAt and platform are kept (PE-P1). A repeat refreshes the device once more.")
	register.Responses = map[string]*huma.Response{"200": {Description: "Registered before, now refreshed; the same body"}}
	web.Add(r.api, r.user, register,
		func(ctx context.Context, in *struct{ Body registration }) (*web.Created[Device], error) {
			return web.Made(r.register(ctx, caller(ctx), in.Body))
		})
	web.Add(r.api, r.user, web.Operation("refresh-device", http.MethodPut, "/devicetoken/devices/{deviceId}",
		"Refresh a device", "On each launch of the app, or when the token rotates: 90 more days from now (PE-P2)."),
		func(ctx context.Context, in *renewal) (*web.Reply[Device], error) {
			d, err := r.refresh(ctx, caller(ctx), in.DeviceID, in.Body.Token)
			return &web.Reply[Device]{Body: d}, err
		})
}

func (r routes) devices() {
	web.Add(r.api, r.user, web.Operation("list-devices", http.MethodGet, "/devicetoken/devices",
		"List the devices that get pushes", "Those that are active and not past expiresAt (PE-P4, PE-D3)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[deviceList], error) {
			devices, err := r.active(ctx, caller(ctx))
			return &web.Reply[deviceList]{Body: deviceList{devices}}, err
		})
	web.Add(r.api, r.user, web.Operation("get-device", http.MethodGet, "/devicetoken/devices/{deviceId}",
		"Get a device", "Whatever its state, read consistently (PE-P3)."),
		func(ctx context.Context, in *devicePath) (*web.Reply[Device], error) {
			d, err := r.device(ctx, caller(ctx), in.DeviceID)
			return &web.Reply[Device]{Body: d}, err
		})
	web.Add(r.api, r.user, web.Operation("deactivate-device", http.MethodPost, "/devicetoken/devices/{deviceId}/deactivate",
		"Deactivate a device", "At logout: it gets no push until it is registered again (PE-P5). A repeat changes nothing."),
		func(ctx context.Context, in *devicePath) (*web.Reply[Device], error) {
			d, err := r.deactivate(ctx, caller(ctx), in.DeviceID)
			return &web.Reply[Device]{Body: d}, err
		})
}

func (r routes) deletion() {
	web.Add(r.api, r.user, web.Operation("delete-device", http.MethodDelete, "/devicetoken/devices/{deviceId}",
		"Delete a device", "On the user's request: nothing of it is left, and the second time it is a 404 (PE-P6)."),
		func(ctx context.Context, in *devicePath) (*struct{}, error) {
			return nil, r.remove(ctx, caller(ctx), in.DeviceID)
		})
	web.Add(r.api, r.user, web.Operation("delete-devices", http.MethodDelete, "/devicetoken/devices",
		"Delete all devices", "On the user's request: nothing of the user is left in the table (PE-R7)."),
		func(ctx context.Context, _ *struct{}) (*struct{}, error) {
			return nil, r.removeAll(ctx, caller(ctx))
		})
}

func (r routes) operators() {
	web.Add(r.api, r.admin, web.Operation("diagnose-user", http.MethodGet, "/devicetoken/users/{userId}/diagnosis",
		"Say who would get a push, and why not", "Every device of the user with what keeps a push from it, without its token (PE-O8)."),
		func(ctx context.Context, in *userPath) (*web.Reply[diagnosis], error) {
			d, err := r.diagnose(ctx, in.UserID)
			return &web.Reply[diagnosis]{Body: d}, err
		})
	web.Add(r.api, r.admin, web.Operation("push-to-user", http.MethodPost, "/devicetoken/users/{userId}/push",
		"Push to a user's devices", "To those that are active and not past expiresAt. A device whose token the push service calls dead is deactivated (PE-P4)."+
			" A repeat pushes once more."),
		func(ctx context.Context, in *notification) (*web.Reply[pushReport], error) {
			report, err := r.push(ctx, in.UserID, in.Body.Title, in.Body.Body, in.Body.Data)
			return &web.Reply[pushReport]{Body: report}, err
		})
}

func (r routes) operations() {
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/devicetoken/healthz",
		"Health", "200 when the database and its table answer, else 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return &web.Reply[health]{Body: health{"ok", Version}}, r.store.reachable(ctx)
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/devicetoken/stats",
		"Counters", "Since the service began."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) {
			return &web.Reply[Stats]{Body: r.Stats()}, nil
		})
}
