package kefir

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/access"
	"github.com/tabletop-db/tabletop/features/steps"
)

// Access returns who may do what with the kefir tracker.
func Access() access.System {
	s := access.System{
		Name: "kefir", Title: "Kefir tracker", Kinds: access.Users("adminToken"),
		Open: access.MonitoringOperations(),
		Own: map[string]string{
			"put-device": "device ids are each user's own", "delete-device": "device ids are each user's own",
		},
		Absent: map[string][]string{},
	}
	s.Open["get-public-batch"] = access.PublicOperation{
		Reason: "batches that their owners made public; a private one is not found",
		Status: http.StatusNotFound}
	mine := `GetItem of "kefir-app-dev-table" where "PK = 'USER#{caller}' AND SK = `
	for _, id := range []string{"change-batch", "change-status", "move-batch", "add-event", "add-reminder",
		"cancel-reminder"} {
		s.Absent[id] = []string{mine + `'BATCH#{batchId}'", consistent`}
	}
	for _, id := range []string{"get-batch", "get-timeline", "list-events", "list-reminders"} {
		s.Absent[id] = []string{`Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'BATCH#{batchId}'"`}
	}
	s.Absent["get-device"] = []string{mine + `'DEVICE#{deviceId}'"`}
	return s
}

func (w *world) access(sc *godog.ScenarioContext) {
	stage := &access.Tester{System: Access(), Service: w.Service, NewUser: w.brewer}
	stage.UseDynamoDB(w.World, table)
	stage.Steps(sc)
}

// brewer creates a user with a profile, a device, and a batch with an event and a reminder.
func (w *world) brewer(ctx context.Context, name, operation string) (access.TestUser, error) {
	due := steps.Timestamp(w.Clock.Now().Add(time.Hour))
	phone := "PHONE-" + strings.ToUpper(name)
	p := access.TestUser{
		Values: access.Values{"deviceId": phone, "dueAt": due, "change-batch.name": "Lemon",
			"add-event.note": "Tastes of lemon"},
		Private: []string{name, phone}, Credentials: access.OperatorCredentials(adminToken),
	}
	as, err := w.Credential(name)
	if err != nil {
		return p, err
	}
	for _, r := range []struct {
		method, path, id string
		body             any
	}{
		{http.MethodPut, "/profile", "", map[string]any{"email": name + "@example.com", "name": name}},
		{http.MethodPut, "/devices/{deviceId}", "", map[string]any{"platform": "ios",
			"pushToken": "ExponentPushToken[" + name + "]"}},
		{http.MethodPost, "/batches", "batchId", map[string]any{"name": "Figs of " + name, "waterVolumeMl": 1000,
			"sugarGrams": 60, "targetHoursStage1": 48}},
		{http.MethodPost, "/batches/{batchId}/events", "eventId", map[string]any{"type": "note", "note": "Figs of " + name}},
		{http.MethodPost, "/batches/{batchId}/reminders", "reminderId", map[string]any{"message": "Figs of " + name,
			"dueAt": due}},
	} {
		if err := p.CreateResource(ctx, w.Service, as, r.method, r.path, r.body, r.id); err != nil {
			return p, err
		}
	}
	return p, p.AddUserCredential(w.Issuer, w.Clock.Now, name, operation, as)
}
