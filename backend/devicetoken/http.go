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
	register := web.CreateOperation("register-device", http.MethodPost, "/devicetoken/devices",
		"Register a device", "Returns 201 for a new device. An existing one is refreshed and keeps registeredAt and platform; the status is then 200 (PE-P1). Safe to repeat.")
	register.Responses = map[string]*huma.Response{"200": {Description: "The device existed and was refreshed; same body"}}
	web.Add(r.api, r.user, register,
		func(ctx context.Context, in *struct{ Body registration }) (*web.Created[Device], error) {
			return web.NewCreated(r.register(ctx, caller(ctx), in.Body))
		})
	web.Add(r.api, r.user, web.Operation("refresh-device", http.MethodPut, "/devicetoken/devices/{deviceId}",
		"Refresh a device",
		"Call it at each launch of the app and when the token rotates: the device then expires 90 days from now (PE-P2)."),
		func(ctx context.Context, in *tokenRequest) (*web.Reply[Device], error) {
			d, err := r.refresh(ctx, caller(ctx), in.DeviceID, in.Body.Token)
			return &web.Reply[Device]{Body: d}, err
		})
}

func (r routes) devices() {
	web.Add(r.api, r.user, web.Operation("list-devices", http.MethodGet, "/devicetoken/devices",
		"List the devices that receive pushes", "Devices that are active and have not expired (PE-P4, PE-D3)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[deviceList], error) {
			devices, err := r.active(ctx, caller(ctx))
			return &web.Reply[deviceList]{Body: deviceList{devices}}, err
		})
	web.Add(r.api, r.user, web.Operation("get-device", http.MethodGet, "/devicetoken/devices/{deviceId}",
		"Get a device", "In any state, by a strongly consistent read (PE-P3)."),
		func(ctx context.Context, in *devicePath) (*web.Reply[Device], error) {
			d, err := r.device(ctx, caller(ctx), in.DeviceID)
			return &web.Reply[Device]{Body: d}, err
		})
	web.Add(r.api, r.user, web.Operation("deactivate-device", http.MethodPost,
		"/devicetoken/devices/{deviceId}/deactivate",
		"Deactivate a device",
		"Call it at logout: the device receives no pushes until it registers again (PE-P5). A repeat changes nothing."),
		func(ctx context.Context, in *devicePath) (*web.Reply[Device], error) {
			d, err := r.deactivate(ctx, caller(ctx), in.DeviceID)
			return &web.Reply[Device]{Body: d}, err
		})
}

func (r routes) deletion() {
	web.Add(r.api, r.user, web.Operation("delete-device", http.MethodDelete, "/devicetoken/devices/{deviceId}",
		"Delete a device", "Deletes all data of the device. A repeat returns 404 (PE-P6)."),
		func(ctx context.Context, in *devicePath) (*struct{}, error) {
			return nil, r.remove(ctx, caller(ctx), in.DeviceID)
		})
	web.Add(r.api, r.user, web.Operation("delete-devices", http.MethodDelete, "/devicetoken/devices",
		"Delete all devices", "Deletes all data of the user from the table (PE-R7)."),
		func(ctx context.Context, _ *struct{}) (*struct{}, error) {
			return nil, r.removeAll(ctx, caller(ctx))
		})
}

func (r routes) operators() {
	web.Add(r.api, r.admin, web.Operation("diagnose-user", http.MethodGet, "/devicetoken/users/{userId}/diagnosis",
		"Diagnose a user's push delivery",
		"Every device of the user, with the reasons why it receives no pushes, and without its token (PE-O8)."),
		func(ctx context.Context, in *userPath) (*web.Reply[diagnosis], error) {
			d, err := r.diagnose(ctx, in.UserID)
			return &web.Reply[diagnosis]{Body: d}, err
		})
	web.Add(r.api, r.admin, web.Slow(web.Operation("push-to-user", http.MethodPost, "/devicetoken/users/{userId}/push",
		"Push to a user's devices", "Sends to the devices that are active and have not expired. A device whose token the push service rejects as unregistered is deactivated (PE-P4)."+
			" While the push service does not respond, the response may take minutes. A repeat pushes again.")),
		func(ctx context.Context, in *notification) (*web.Reply[pushReport], error) {
			report, err := r.push(ctx, in.UserID, in.Body.Title, in.Body.Body, in.Body.Data)
			return &web.Reply[pushReport]{Body: report}, err
		})
}

func (r routes) operations() {
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/devicetoken/healthz",
		"Health", "Returns 200 when the database and its table respond, otherwise 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return &web.Reply[health]{Body: health{"ok", Version}}, r.store.reachable(ctx)
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/devicetoken/stats",
		"Counters", "Counted since the service started."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) {
			return &web.Reply[Stats]{Body: r.Stats()}, nil
		})
}
