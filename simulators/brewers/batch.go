package brewers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// call sends a request to the kefir API and returns the response.
func (b *brewer) call(ctx context.Context, method, path string, in any) (object, sim.Outcome, error) {
	var out object
	call := sim.Call{Method: method, Path: "/kefir" + path, In: in}
	if method != http.MethodDelete {
		call.Out = &out
	}
	outcome, err := b.caller.Call(ctx, call)
	return out, outcome, err
}

// saveProfile writes the profile: the first time completely, later with another name.
func (b *brewer) saveProfile(ctx context.Context, d Action) error {
	want := object{
		"userId": b.plan.UserID, "email": b.plan.Email, "name": b.plan.Name,
		"preferences": object{"notificationsEnabled": b.plan.Notifications, "defaultTemperatureC": 21.5},
	}
	if d.Kind == ChangeSettings {
		want["name"] = d.Text
	}
	in := maps.Clone(want)
	delete(in, "userId")
	_, outcome, err := b.call(ctx, http.MethodPut, "/profile", in)
	if err != nil {
		return err
	}
	if b.profile == nil && outcome.Status == http.StatusOK && outcome.Retries == 0 {
		return errors.New("an earlier simulation already created this brewer: use another --seed")
	}
	if b.profile == nil {
		maps.Copy(want, b.expectedTimes("createdAt"))
	} else if at, ok := b.profile["createdAt"]; ok {
		want["createdAt"] = at
	}
	b.profile = want
	return nil
}

// startBatch creates a batch. If the response is lost, the brewer looks for the batch in the list before retrying.
func (b *brewer) startBatch(ctx context.Context, d Action) error {
	r := b.plan.Batches[d.Batch]
	want := object{
		"name": r.Name, "waterVolumeMl": r.Water, "sugarGrams": r.Sugar, "fruits": r.Fruits, "temperatureC": r.TemperatureC,
		"targetHoursStage1": r.HoursStage1,
	}
	made, err := b.create(ctx, "/batches", want, func(ctx context.Context) ([]object, error) {
		return b.readAll(ctx, "/batches", "batches")
	}, "name")
	if err != nil {
		return err
	}
	id, err := idOf(made, "batchId")
	if err != nil {
		return err
	}
	maps.Copy(want, object{"batchId": id, "userId": b.plan.UserID, "stage": 1, "status": "active",
		"isPublic": false, "archivedAt": ""})
	maps.Copy(want, b.expectedTimes("createdAt", "startTime"))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.batches[d.Batch] = &batch{id: id, want: want}
	return nil
}

// idOf returns the id of a created resource.
func idOf(made object, name string) (string, error) {
	id := field(name)(made)
	if id == "" {
		return "", fmt.Errorf("the response has no %s: %v", name, made)
	}
	return id, nil
}

// create creates a resource that a repeated request would create again, and recognizes it by uniqueField.
func (b *brewer) create(ctx context.Context, path string, in object, list func(context.Context) ([]object, error),
	uniqueField string) (object, error) {
	call := sim.Call{Method: http.MethodPost, Path: "/kefir" + path, In: in}
	return sim.Create(ctx, b.caller, call, func(ctx context.Context) (object, bool, error) {
		all, err := list(ctx)
		for _, one := range all {
			if one[uniqueField] == in[uniqueField] {
				return one, true, err
			}
		}
		return nil, false, err
	})
}

func (b *brewer) addNote(ctx context.Context, d Action) error {
	batch := b.batches[d.Batch]
	in, uniqueField := object{"type": "note", "note": d.Text}, "note"
	if d.Kind == AddPhoto {
		in, uniqueField = object{"type": "photo", "photoKey": d.Text, "photoUrl": "https://photos.example.com/" + d.Text},
			"photoKey"
	}
	list := func(ctx context.Context) ([]object, error) {
		return b.readAll(ctx, "/batches/"+batch.id+"/events", "events")
	}
	if _, err := b.create(ctx, "/batches/"+batch.id+"/events", in, list, uniqueField); err != nil {
		return err
	}
	b.recordEvent(batch, in)
	return nil
}

// recordEvent records an event that a batch must have.
func (b *brewer) recordEvent(batch *batch, event object) {
	event = maps.Clone(event)
	event["batchId"] = batch.id
	if b.sim.clock.ControlsBackend() {
		event["createdAt"] = b.sim.clock.Now().Format("2006-01-02T15:04:05.000Z")
	}
	batch.events = append(batch.events, event)
}

func (b *brewer) bottle(ctx context.Context, d Action) error {
	batch, r := b.batches[d.Batch], b.plan.Batches[d.Batch]
	in := object{"stage": 2, "bottleCount": r.Bottles, "bottleVolumeMl": r.Volume, "targetHoursStage2": r.HoursStage2,
		"temperatureCStage2": r.TemperatureC}
	if _, _, err := b.call(ctx, http.MethodPost, "/batches/"+batch.id+"/stage", in); err != nil {
		return err
	}
	maps.Copy(batch.want, in)
	maps.Copy(batch.want, b.expectedTimes("startTimeStage2"))
	b.recordEvent(batch, object{"type": "stage_transition", "fromStage": 1, "toStage": 2})
	return nil
}

func (b *brewer) changeStatus(ctx context.Context, d Action) error {
	batch := b.batches[d.Batch]
	if _, _, err := b.call(ctx, http.MethodPost, "/batches/"+batch.id+"/status", object{"status": d.Text}); err != nil {
		return err
	}
	b.recordEvent(batch, object{"type": "status_change", "fromStatus": batch.want["status"], "toStatus": d.Text})
	batch.want["status"] = d.Text
	if d.Text == "archived" {
		delete(batch.want, "archivedAt")
		maps.Copy(batch.want, b.expectedTimes("archivedAt"))
	}
	return nil
}

func (b *brewer) share(ctx context.Context, d Action) error {
	batch := b.batches[d.Batch]
	in := object{"isPublic": d.Kind == Share}
	if d.Kind == Share {
		in["publicNote"] = d.Text
	}
	if _, _, err := b.call(ctx, http.MethodPatch, "/batches/"+batch.id, in); err != nil {
		return err
	}
	maps.Copy(batch.want, in)
	return nil
}

// deleteAccount deletes everything. After a lost response there may be nothing left to delete.
func (b *brewer) deleteAccount(ctx context.Context) error {
	if _, outcome, err := b.call(ctx, http.MethodDelete, "/profile", nil); err != nil && (outcome.Retries == 0 ||
		sim.Status(err) != http.StatusNotFound) {
		return err
	}
	b.deleted = true
	return nil
}
