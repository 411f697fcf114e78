package kefir

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/auth"
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
func caller(ctx context.Context) string { return auth.From(ctx).Subject }

// upsertOperation describes a route that responds with 201 the first time and with 200 later.
func upsertOperation(id, path, summary, description string) huma.Operation {
	op := web.CreateOperation(id, http.MethodPut, path, summary, description)
	op.Responses = map[string]*huma.Response{"200": {Description: "It existed and was updated; same body"}}
	return op
}

func deleteOperation(id, path, summary, description string) huma.Operation {
	op := web.Operation(id, http.MethodDelete, path, summary, description)
	op.DefaultStatus = http.StatusNoContent
	return op
}

func (r routes) profile() {
	get := web.Operation("get-profile", http.MethodGet, "/kefir/profile", "Get your profile",
		"The profile as last saved (KF-P1).")
	get.Errors = []int{http.StatusNotFound}
	web.Add(r.api, r.user, get, func(ctx context.Context, _ *struct{}) (*web.Reply[User], error) {
		return web.NewReply(r.Service.profile(ctx, caller(ctx)))
	})
	web.Add(r.api, r.user, upsertOperation("put-profile", "/kefir/profile", "Create or replace your profile",
		"Omitted fields are removed; omitted preferences get their defaults (KF-R11)."),
		func(ctx context.Context, in *struct{ Body profileRequest }) (*web.Created[User], error) {
			return web.NewCreated(r.saveProfile(ctx, caller(ctx), in.Body))
		})
	web.Add(r.api, r.user, deleteOperation("delete-profile", "/kefir/profile", "Delete your account",
		"Deletes all your data: profile, batches with their events and reminders, and devices. After an error, send the request again: it continues where it stopped (KF-R9)."),
		func(ctx context.Context, _ *struct{}) (*struct{}, error) {
			return nil, r.deleteAccount(ctx, caller(ctx))
		})
	web.Add(r.api, r.user, exportOperation(), func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
		return r.exportResponse(ctx, caller(ctx))
	})
}

func (r routes) batches() {
	web.Add(r.api, r.user, idempotency.Operation("create-batch", "/kefir/batches", "Start a batch",
		"A new batch is active and in stage 1 (KF-R3, KF-R12)."),
		func(ctx context.Context, in *createRequest[batchRequest]) (*idempotency.Created[Batch], error) {
			return idempotency.NewCreated(r.createBatch(ctx, caller(ctx), in.Body, in.IdempotencyKey))
		})
	web.Add(r.api, r.user, web.Operation("list-batches", http.MethodGet, "/kefir/batches", "List your batches",
		"All batches (KF-P2), or those with a status (KF-P3)."),
		func(ctx context.Context, in *batchesQuery) (*web.Reply[batchPage], error) {
			batches, next, err := r.listBatches(ctx, caller(ctx), *in)
			return web.NewReply(batchPage{batches, next}, err)
		})
	web.Add(r.api, r.user, web.Operation("get-batch", http.MethodGet, "/kefir/batches/{batchId}", "Get a batch",
		"One of your batches by its id (KF-P4)."),
		func(ctx context.Context, in *batchPath) (*web.Reply[Batch], error) {
			return web.NewReply(r.batch(ctx, caller(ctx), in.BatchID))
		})
	web.Add(r.api, r.user, web.Operation("change-batch", http.MethodPatch, "/kefir/batches/{batchId}", "Change a batch",
		"Omitted fields keep their values; an empty text removes an optional field. Status and stage have their own operations."),
		func(ctx context.Context, in *onBatchRequest[batchChange]) (*web.Reply[Batch], error) {
			return web.NewReply(r.changeBatch(ctx, caller(ctx), in.BatchID, in.Body))
		})
	web.Add(r.api, r.user, web.Operation("get-timeline", http.MethodGet, "/kefir/batches/{batchId}/timeline",
		"Get a batch with its timeline",
		"The batch, its newest events and its reminders; the batch is read from an index, which is eventually consistent (KF-P14)."),
		func(ctx context.Context, in *batchPath) (*web.Reply[timeline], error) {
			return web.NewReply(r.timeline(ctx, caller(ctx), in.BatchID))
		})
	web.Add(r.api, web.Open, web.Operation("get-public-batch", http.MethodGet, "/kefir/public/batches/{batchId}",
		"Read a public batch",
		"Returns a batch that its owner made public, without its private fields, and 404 for any other (KF-R8)."),
		func(ctx context.Context, in *batchPath) (*web.Reply[PublicBatch], error) {
			return web.NewReply(r.publicBatch(ctx, in.BatchID))
		})
}

func (r routes) transitions() {
	stage := web.Operation("move-batch", http.MethodPost, "/kefir/batches/{batchId}/stage", "Move a batch to stage 2",
		"Happens once and adds an event. A repeat changes nothing and returns the batch (KF-R2).")
	status := web.Operation("change-status", http.MethodPost, "/kefir/batches/{batchId}/status", "Change a batch's status",
		"Adds an event. A repeat changes nothing, like any change to the current status (KF-R1).")
	stage.Errors, status.Errors = []int{http.StatusConflict}, []int{http.StatusConflict}
	web.Add(r.api, r.user, stage, func(ctx context.Context, in *onBatchRequest[stageRequest]) (*web.Reply[Batch], error) {
		return web.NewReply(r.moveToStage2(ctx, caller(ctx), in.BatchID, in.Body))
	})
	web.Add(r.api, r.user,
		status, func(ctx context.Context, in *onBatchRequest[statusRequest]) (*web.Reply[Batch], error) {
			return web.NewReply(r.changeStatus(ctx, caller(ctx), in.BatchID, in.Body.Status))
		})
}

func (r routes) events() {
	web.Add(r.api, r.user, idempotency.Operation("add-event", "/kefir/batches/{batchId}/events", "Add a photo or a note",
		"Each type has its own fields (KF-R4, KF-R12)."),
		func(ctx context.Context, in *createOnBatchRequest[eventRequest]) (*idempotency.Created[Event], error) {
			return idempotency.NewCreated(r.createEvent(ctx, caller(ctx), in.BatchID, in.Body, in.IdempotencyKey))
		})
	web.Add(r.api, r.user, web.Operation("list-events", http.MethodGet, "/kefir/batches/{batchId}/events",
		"List a batch's events",
		"Oldest first (KF-P5), newest first (KF-P6), or starting at a time (KF-P7)."),
		func(ctx context.Context, in *eventsQuery) (*web.Reply[eventPage], error) {
			events, next, err := r.listEvents(ctx, caller(ctx), *in)
			return web.NewReply(eventPage{events, next}, err)
		})
}

func (r routes) reminders() {
	web.Add(r.api, r.user, idempotency.Operation("add-reminder", "/kefir/batches/{batchId}/reminders", "Set a reminder",
		"It is pushed to all your devices when it is due (KF-R5, KF-R12)."),
		func(ctx context.Context, in *createOnBatchRequest[reminderRequest]) (*idempotency.Created[Reminder], error) {
			return idempotency.NewCreated(r.createReminder(ctx, caller(ctx), in.BatchID, in.Body, in.IdempotencyKey))
		})
	web.Add(r.api, r.user, web.Operation("list-reminders", http.MethodGet, "/kefir/batches/{batchId}/reminders",
		"List a batch's reminders",
		"Pending, sent and cancelled ones (KF-P8)."),
		func(ctx context.Context, in *remindersQuery) (*web.Reply[reminderPage], error) {
			reminders, next, err := r.listReminders(ctx, caller(ctx), *in)
			return web.NewReply(reminderPage{reminders, next}, err)
		})
	cancel := web.Operation("cancel-reminder", http.MethodPost, "/kefir/batches/{batchId}/reminders/{reminderId}/cancel",
		"Cancel a reminder",
		"A repeat changes nothing. Returns 409 when the reminder was sent or is being sent (KF-R5).")
	cancel.Errors = []int{http.StatusConflict}
	web.Add(r.api, r.user, cancel, func(ctx context.Context, in *reminderPath) (*web.Reply[Reminder], error) {
		return web.NewReply(r.cancelReminder(ctx, caller(ctx), in.BatchID, in.ReminderID))
	})
	web.Add(r.api, r.user, web.Operation("list-upcoming", http.MethodGet, "/kefir/reminders/upcoming",
		"List your upcoming reminders",
		"Pending reminders of all your batches in the next days, soonest first (KF-P9)."),
		func(ctx context.Context, in *upcomingQuery) (*web.Reply[reminderPage], error) {
			reminders, next, err := r.upcoming(ctx, caller(ctx), *in)
			return web.NewReply(reminderPage{reminders, next}, err)
		})
}

func (r routes) devices() {
	web.Add(r.api, r.user, upsertOperation("put-device", "/kefir/devices/{deviceId}", "Register or update a device",
		"The device receives your reminders as pushes (KF-R11)."),
		func(ctx context.Context, in *onDeviceRequest[deviceRequest]) (*web.Created[Device], error) {
			return web.NewCreated(r.saveDevice(ctx, caller(ctx), in.DeviceID, in.Body))
		})
	web.Add(r.api, r.user, web.Operation("list-devices", http.MethodGet, "/kefir/devices", "List your devices",
		"Ordered by id (KF-P11)."),
		func(ctx context.Context, in *pageQuery) (*web.Reply[devicePage], error) {
			devices, next, err := r.listDevices(ctx, caller(ctx), *in)
			return web.NewReply(devicePage{devices, next}, err)
		})
	web.Add(r.api, r.user, web.Operation("get-device", http.MethodGet, "/kefir/devices/{deviceId}", "Get a device",
		"One of your devices (KF-P12)."),
		func(ctx context.Context, in *devicePath) (*web.Reply[Device], error) {
			return web.NewReply(r.device(ctx, caller(ctx), in.DeviceID))
		})
	web.Add(r.api, r.user, deleteOperation("delete-device", "/kefir/devices/{deviceId}", "Remove a device",
		"The device receives no more pushes. Succeeds even if the device does not exist."),
		func(ctx context.Context, in *devicePath) (*struct{}, error) {
			return nil, r.store.removeDevice(ctx, caller(ctx), in.DeviceID)
		})
}

func (r routes) administration() {
	web.Add(r.api, r.admin, web.Operation("list-batches-by-status", http.MethodGet, "/kefir/admin/batches",
		"List all users' batches by status",
		"Newest first, by the added index (KF-P13, KF-D1)."),
		func(ctx context.Context, in *statusQuery) (*web.Reply[batchPage], error) {
			batches, next, err := r.listByStatus(ctx, *in)
			return web.NewReply(batchPage{batches, next}, err)
		})
	web.Add(r.api, r.admin, web.Operation("list-due", http.MethodGet, "/kefir/admin/reminders/due",
		"List due reminders of all users",
		"The reminders that a scheduler would send now, and the cost of finding them (KF-P10, KF-D3)."),
		func(ctx context.Context, in *dueQuery) (*web.Reply[DueReminders], error) {
			return web.NewReply(r.due(ctx, in.By, in.Limit))
		})
}

func (r routes) operations() {
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/kefir/healthz",
		"Health", "Returns 200 when the database and its table respond, otherwise 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return web.NewReply(health{"ok", Version}, r.store.reachable(ctx))
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/kefir/stats",
		"Counters", "Counted since the service started."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) {
			return web.NewReply(r.Stats(), nil)
		})
}
