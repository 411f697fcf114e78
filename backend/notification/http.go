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
		"A worker turns it into a notification. To repeat a request whose response was lost, a service needs an Idempotency-Key, which is scoped to a"+
			" user and remembered as long as the event. Otherwise there are two events; with a dedupeKey only one notifies (NT-P1, NT-R3)."),
		func(ctx context.Context, in *enqueueRequest) (*idempotency.Created[Event], error) {
			var replayed bool
			e, err := metered(ctx, r.Service, patternEnqueue, func(ctx context.Context) (e Event, err error) {
				e, replayed, err = r.enqueue(ctx, in.Body, in.IdempotencyKey)
				return e, err
			})
			return idempotency.NewCreated(e, replayed, err)
		})
	web.Add(r.api, r.admin, web.Operation("get-event", http.MethodGet, "/notification/events/{id}", "Get an event",
		"The event with its processing status."),
		func(ctx context.Context, in *eventQuery) (*web.Reply[Event], error) {
			return web.NewReply(r.event(ctx, in.UserID, in.ID))
		})
}

func (r routes) notifications() {
	web.Add(r.api, r.user, web.Operation("list-notifications", http.MethodGet, "/notification/notifications",
		"List your notifications",
		"Notifications that are not dismissed, newest first, 20 per page by default (NT-P6)."),
		func(ctx context.Context, in *notificationsQuery) (*web.Reply[notificationPage], error) {
			return web.NewReply(metered(ctx, r.Service, patternList, func(ctx context.Context) (notificationPage, error) {
				list, next, err := r.listNotifications(ctx, caller(ctx), *in)
				return notificationPage{list, next}, err
			}))
		})
	web.Add(r.api, r.user, web.Operation("count-unread", http.MethodGet, "/notification/notifications/unread",
		"Count your unread notifications",
		"Notifications that are neither read nor dismissed (NT-P5)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[unreadCount], error) {
			return web.NewReply(metered(ctx, r.Service, patternUnread, func(ctx context.Context) (unreadCount, error) {
				n, err := r.store.unread(ctx, caller(ctx))
				return unreadCount{n}, err
			}))
		})
	web.Add(r.api, r.user, web.Operation("read-all", http.MethodPost, "/notification/notifications/read",
		"Mark all as read",
		"Marks every unread notification and returns their number. A repeat marks newer ones."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[readCount], error) {
			return web.NewReply(metered(ctx, r.Service, patternReadAll, func(ctx context.Context) (readCount, error) {
				n, err := r.readAll(ctx, caller(ctx))
				return readCount{n}, err
			}))
		})
	r.mark("read-notification", "/notification/notifications/{id}/read", "Mark a notification as read", markRead())
	r.mark("dismiss-notification", "/notification/notifications/{id}/dismiss", "Dismiss a notification", markDismissed())
}

func (r routes) mark(id, path, summary string, m mark) {
	web.Add(r.api, r.user, web.Operation(id, http.MethodPost, path, summary, "A repeat changes nothing (NT-P8)."),
		func(ctx context.Context, in *notificationPath) (*web.Reply[Notification], error) {
			return web.NewReply(metered(ctx, r.Service, patternMark, func(ctx context.Context) (Notification, error) {
				return r.markNotification(ctx, caller(ctx), in.ID, m)
			}))
		})
}

func (r routes) preferences() {
	web.Add(r.api, r.user, web.Operation("get-preferences", http.MethodGet, "/notification/preferences",
		"Get your preferences",
		"Default: UTC, quiet hours from 22:00 to 07:00, all categories on (NT-P9)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[Preferences], error) {
			return web.NewReply(metered(ctx, r.Service, patternPreferences, func(ctx context.Context) (Preferences, error) {
				return r.Service.preferences(ctx, caller(ctx))
			}))
		})
	web.Add(r.api, r.user, web.Operation("put-preferences", http.MethodPut, "/notification/preferences",
		"Set your preferences",
		"Omitted fields get their defaults. Safety and security notifications cannot be switched off and ignore quiet hours (NT-P9, NT-R7)."),
		func(ctx context.Context, in *struct{ Body preferencesRequest }) (*web.Reply[Preferences], error) {
			return web.NewReply(metered(ctx, r.Service, patternSet, func(ctx context.Context) (Preferences, error) {
				return r.savePreferences(ctx, caller(ctx), in.Body)
			}))
		})
}

func (r routes) devices() {
	op := web.CreateOperation("register-device", http.MethodPost, "/notification/devices", "Register a device",
		"At most three devices are active: a fourth one replaces the least recently seen (NT-P12, NT-R8)."+
			" A repeat updates the device.")
	op.Responses = map[string]*huma.Response{"200": {Description: "The device was active and was updated; same body"}}
	web.Add(r.api, r.user, op, func(ctx context.Context, in *struct{ Body deviceRequest }) (*web.Created[Device], error) {
		var isNew bool
		d, err := metered(ctx, r.Service, patternRegister, func(ctx context.Context) (d Device, err error) {
			d, isNew, err = r.register(ctx, caller(ctx), in.Body)
			return d, err
		})
		return web.NewCreated(d, isNew, err)
	})
	web.Add(r.api, r.user, web.Operation("refresh-device", http.MethodPut, "/notification/devices/{deviceId}",
		"Refresh a device's token",
		"Stores a new push token of an active device (NT-P11)."),
		func(ctx context.Context, in *refreshRequest) (*web.Reply[Device], error) {
			return web.NewReply(metered(ctx, r.Service, patternRefresh, func(ctx context.Context) (Device, error) {
				return r.refresh(ctx, caller(ctx), in.DeviceID, in.Body.PushToken)
			}))
		})
	web.Add(r.api, r.user, web.Operation("list-devices", http.MethodGet, "/notification/devices",
		"List your active devices",
		"At most three, most recently seen first (NT-P10)."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[deviceList], error) {
			return web.NewReply(metered(ctx, r.Service, patternDevices, func(ctx context.Context) (deviceList, error) {
				devices, err := r.activeDevices(ctx, caller(ctx))
				return deviceList{devices}, err
			}))
		})
	drop := web.Operation("revoke-device", http.MethodDelete, "/notification/devices/{deviceId}", "Revoke a device",
		"The device receives no more pushes. Succeeds even if the device does not exist.")
	drop.DefaultStatus = http.StatusNoContent
	web.Add(r.api, r.user, drop, func(ctx context.Context, in *devicePath) (*struct{}, error) {
		ctx, _ = cosmosdb.Begin(ctx)
		return nil, r.unregister(ctx, caller(ctx), in.DeviceID)
	})
}

func (r routes) administration() {
	web.Add(r.api, r.admin, web.Slow(web.Operation("work", http.MethodPost, "/notification/work", "Run a worker once",
		"Processes up to 100 events, found by the documented cross-partition query (NT-P2) or by the change feed (NT-D3). It starts events"+
			" for five seconds and reports whether there may be more; a repeat processes those. While a push service does not"+
			" respond, the response may take minutes.")),
		func(ctx context.Context, in *workQuery) (*web.Reply[WorkResult], error) {
			if in.By == "feed" {
				return web.NewReply(r.follower.Round(ctx))
			}
			return web.NewReply(r.Work(ctx))
		})
	web.Add(r.api, r.admin, web.Operation("erase-user", http.MethodDelete, "/notification/users/{userId}",
		"Delete all data of a user",
		"Deletes from all four containers and returns the counts. After an error, send the request again: it continues where it stopped (NT-R10)."),
		func(ctx context.Context, in *userPath) (*web.Reply[DeletedDocuments], error) {
			return web.NewReply(metered(ctx, r.Service, patternErase, func(ctx context.Context) (DeletedDocuments, error) {
				return r.erase(ctx, in.UserID)
			}))
		})
}

func (r routes) operations() {
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/notification/healthz",
		"Health", "Returns 200 when the database and its containers respond, otherwise 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return web.NewReply(health{"ok", Version}, r.store.reachable(ctx))
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/notification/stats",
		"Counters", "Counted since the service started, with the request units of each access pattern."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) { return web.NewReply(r.Stats(), nil) })
}
