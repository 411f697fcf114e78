package notification

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// routes connects the service to an API and to its callers.
type routes struct {
	*Service
	api         *web.API
	user, admin *web.Access
}

// caller returns the subject of the caller's bearer token.
func caller(ctx context.Context) UserID { return UserID(auth.From(ctx).Subject) }

func (r routes) events() {
	web.Add(r.api, r.admin, idempotency.Operation("enqueue", "/notification/events", "Enqueue an event",
		"A worker makes a notification of it. A service that does not hear the answer and asks again needs an Idempotency-Key, which is of one"+
			" user and remembered for as long as the event is kept, or makes two events; of those one is told if they have a dedupeKey (NT-P1, NT-R3)."),
		func(ctx context.Context, in *enqueueRequest) (*idempotency.Created[Event], error) {
			var again bool
			e, err := metered(ctx, r.Service, patternEnqueue, func(ctx context.Context) (e Event, err error) {
				e, again, err = r.enqueue(ctx, in.Body, in.IdempotencyKey)
				return e, err
			})
			return idempotency.Answer(e, again, err)
		})
	web.Add(r.api, r.admin, web.Operation("get-event", http.MethodGet, "/notification/events/{id}", "Get an event", "With how far it is."),
		func(ctx context.Context, in *eventQuery) (*web.Reply[Event], error) {
			return web.Answer(r.event(ctx, in.UserID, in.ID))
		})
}

func (r routes) notifications() {
	web.Add(r.api, r.user, web.Operation("list-notifications", http.MethodGet, "/notification/notifications", "List your notifications",
		"Undismissed ones, newest first, 20 a page unless a limit is given (NT-P6)."),
		func(ctx context.Context, in *notificationsQuery) (*web.Reply[notificationPage], error) {
			return web.Answer(metered(ctx, r.Service, patternList, func(ctx context.Context) (notificationPage, error) {
				list, next, err := r.listNotifications(ctx, caller(ctx), *in)
				return notificationPage{list, next}, err
			}))
		})
	web.Add(r.api, r.user, web.Operation("count-unread", http.MethodGet, "/notification/notifications/unread", "Count your unread notifications",
		"Those that are neither read nor dismissed (NT-P5)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[unreadCount], error) {
			return web.Answer(metered(ctx, r.Service, patternUnread, func(ctx context.Context) (unreadCount, error) {
				n, err := r.store.unread(ctx, caller(ctx))
				return unreadCount{n}, err
			}))
		})
	web.Add(r.api, r.user, web.Operation("read-all", http.MethodPost, "/notification/notifications/read", "Mark all as read",
		"Every unread notification; says how many. A repeat marks what came since."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[readCount], error) {
			return web.Answer(metered(ctx, r.Service, patternReadAll, func(ctx context.Context) (readCount, error) {
				n, err := r.readAll(ctx, caller(ctx))
				return readCount{n}, err
			}))
		})
	r.mark("read-notification", "/notification/notifications/{id}/read", "Mark a notification as read", markRead())
	r.mark("dismiss-notification", "/notification/notifications/{id}/dismiss", "Dismiss a notification", markDismissed())
}

func (r routes) mark(id, path, summary string, m mark) {
	web.Add(r.api, r.user, web.Operation(id, http.MethodPost, path, summary, "To repeat it changes nothing (NT-P8)."),
		func(ctx context.Context, in *notificationPath) (*web.Reply[Notification], error) {
			return web.Answer(metered(ctx, r.Service, patternMark, func(ctx context.Context) (Notification, error) {
				return r.markNotification(ctx, caller(ctx), in.ID, m)
			}))
		})
}

func (r routes) preferences() {
	web.Add(r.api, r.user, web.Operation("get-preferences", http.MethodGet, "/notification/preferences", "Get your preferences",
		"The defaults where none were set: UTC, quiet from 22:00 to 07:00, everything switched on (NT-P9)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[Preferences], error) {
			return web.Answer(metered(ctx, r.Service, patternPreferences, func(ctx context.Context) (Preferences, error) {
				return r.Service.preferences(ctx, caller(ctx))
			}))
		})
	web.Add(r.api, r.user, web.Operation("put-preferences", http.MethodPut, "/notification/preferences", "Set your preferences",
		"What is left out is the default. Safety and security can neither be switched off nor made quiet (NT-P9, NT-R7)."),
		func(ctx context.Context, in *struct{ Body preferencesRequest }) (*web.Reply[Preferences], error) {
			return web.Answer(metered(ctx, r.Service, patternSet, func(ctx context.Context) (Preferences, error) {
				return r.savePreferences(ctx, caller(ctx), in.Body)
			}))
		})
}

func (r routes) devices() {
	op := web.Creating("register-device", http.MethodPost, "/notification/devices", "Register a device",
		"Pushes go to your three newest devices: a fourth one takes the place of the one seen longest ago (NT-P12, NT-R8)."+
			" A repeat renews the device.")
	op.Responses = map[string]*huma.Response{"200": {Description: "Active before, now renewed; the same body"}}
	web.Add(r.api, r.user, op, func(ctx context.Context, in *struct{ Body deviceRequest }) (*web.Created[Device], error) {
		var isNew bool
		d, err := metered(ctx, r.Service, patternRegister, func(ctx context.Context) (d Device, err error) {
			d, isNew, err = r.register(ctx, caller(ctx), in.Body)
			return d, err
		})
		return web.Made(d, isNew, err)
	})
	web.Add(r.api, r.user, web.Operation("refresh-device", http.MethodPut, "/notification/devices/{deviceId}", "Refresh a device's token",
		"An active device has got another token of its push service (NT-P11)."),
		func(ctx context.Context, in *refreshRequest) (*web.Reply[Device], error) {
			return web.Answer(metered(ctx, r.Service, patternRefresh, func(ctx context.Context) (Device, error) {
				return r.refresh(ctx, caller(ctx), in.DeviceID, in.Body.PushToken)
			}))
		})
	web.Add(r.api, r.user, web.Operation("list-devices", http.MethodGet, "/notification/devices", "List your active devices",
		"At most three, those seen last first (NT-P10)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[deviceList], error) {
			return web.Answer(metered(ctx, r.Service, patternDevices, func(ctx context.Context) (deviceList, error) {
				devices, err := r.activeDevices(ctx, caller(ctx))
				return deviceList{devices}, err
			}))
		})
	drop := web.Operation("revoke-device", http.MethodDelete, "/notification/devices/{deviceId}", "Revoke a device",
		"Nothing is pushed to it any more; one that is not there is revoked already.")
	drop.DefaultStatus = http.StatusNoContent
	web.Add(r.api, r.user, drop, func(ctx context.Context, in *devicePath) (*struct{}, error) {
		ctx, _ = cosmosdb.Begin(ctx)
		return nil, r.unregister(ctx, caller(ctx), in.DeviceID)
	})
}

func (r routes) administration() {
	web.Add(r.api, r.admin, web.Operation("work", http.MethodPost, "/notification/work", "Run a worker once",
		"One round over up to 100 events, by the documented query over all partitions (NT-P2) or by the change feed (NT-D3). It takes events up"+
			" for five seconds and reports whether there may be more: a repeat takes up what is left."),
		func(ctx context.Context, in *workQuery) (*web.Reply[Round], error) {
			if in.By == "feed" {
				return web.Answer(r.follower.Round(ctx))
			}
			return web.Answer(r.Work(ctx))
		})
	web.Add(r.api, r.admin, web.Operation("erase-user", http.MethodDelete, "/notification/users/{userId}", "Delete everything of a user",
		"From all four containers, and says what it removed. After an error, send it again: it goes on where it stopped (NT-R10)."),
		func(ctx context.Context, in *userPath) (*web.Reply[Erased], error) {
			return web.Answer(metered(ctx, r.Service, patternErase, func(ctx context.Context) (Erased, error) {
				return r.erase(ctx, in.UserID)
			}))
		})
}

func (r routes) operations() {
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/notification/healthz",
		"Health", "200 when the database and its containers answer, else 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return web.Answer(health{"ok", Version}, r.store.reachable(ctx))
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/notification/stats",
		"Counters", "Since the service began, with the request units of each pattern."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) { return web.Answer(r.Stats(), nil) })
}
