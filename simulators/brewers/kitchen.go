package brewers

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// call sends a request to the kefir API and returns the response.
func (b *brewer) call(ctx context.Context, method, path string, in any) (thing, sim.Heard, error) {
	var out thing
	call := sim.Call{Method: method, Path: "/kefir" + path, In: in}
	if method != http.MethodDelete {
		call.Out = &out
	}
	heard, err := b.caller.Call(ctx, call)
	return out, heard, err
}

// settle writes the profile: the first time completely, later with another name.
func (b *brewer) settle(ctx context.Context, d Deed) error {
	want := thing{
		"userId": b.plan.UserID, "email": b.plan.Email, "name": b.plan.Name,
		"preferences": thing{"notificationsEnabled": b.plan.Notifications, "defaultTemperatureC": 21.5},
	}
	if d.Kind == Settle {
		want["name"] = d.Text
	}
	in := maps.Clone(want)
	delete(in, "userId")
	_, heard, err := b.call(ctx, http.MethodPut, "/profile", in)
	if err != nil {
		return err
	}
	if b.profile == nil && heard.Status == http.StatusOK && heard.Repeats == 0 {
		return errors.New("an earlier simulation already created this brewer: use another --seed")
	}
	if b.profile == nil {
		maps.Copy(want, b.when("createdAt"))
	} else if at, ok := b.profile["createdAt"]; ok {
		want["createdAt"] = at
	}
	b.profile = want
	return nil
}

// start creates a batch. If the response is lost, the brewer looks for the batch in the list before retrying.
func (b *brewer) start(ctx context.Context, d Deed) error {
	r := b.plan.Batches[d.Batch]
	want := thing{
		"name": r.Name, "waterVolumeMl": r.Water, "sugarGrams": r.Sugar, "fruits": r.Fruits, "temperatureC": r.Warmth,
		"targetHoursStage1": r.HoursStage1,
	}
	made, err := b.create(ctx, "/batches", want, func(ctx context.Context) ([]thing, error) {
		return b.all(ctx, "/batches", "batches")
	}, "name")
	if err != nil {
		return err
	}
	maps.Copy(want, thing{"batchId": made["batchId"], "userId": b.plan.UserID, "stage": 1, "status": "active",
		"isPublic": false, "archivedAt": ""})
	maps.Copy(want, b.when("createdAt", "startTime"))
	b.batches[d.Batch] = &batch{id: made["batchId"].(string), want: want}
	return nil
}

// create creates a resource that a repeated request would create again, and recognizes it by the field own.
func (b *brewer) create(ctx context.Context, path string, in thing, list func(context.Context) ([]thing, error),
	own string) (thing, error) {
	call := sim.Call{Method: http.MethodPost, Path: "/kefir" + path, In: in}
	return sim.Create(ctx, b.caller, call, func(ctx context.Context) (thing, bool, error) {
		all, err := list(ctx)
		for _, one := range all {
			if one[own] == in[own] {
				return one, true, err
			}
		}
		return nil, false, err
	})
}

func (b *brewer) write(ctx context.Context, d Deed) error {
	at := b.batches[d.Batch]
	in, own := thing{"type": "note", "note": d.Text}, "note"
	if d.Kind == TakePhoto {
		in, own = thing{"type": "photo", "photoKey": d.Text, "photoUrl": "https://photos.example.com/" + d.Text}, "photoKey"
	}
	list := func(ctx context.Context) ([]thing, error) { return b.all(ctx, "/batches/"+at.id+"/events", "events") }
	if _, err := b.create(ctx, "/batches/"+at.id+"/events", in, list, own); err != nil {
		return err
	}
	b.notes(at, in)
	return nil
}

// notes records an event that a batch must have.
func (b *brewer) notes(at *batch, event thing) {
	event = maps.Clone(event)
	event["batchId"] = at.id
	if b.town.clock.Moves() {
		event["createdAt"] = b.town.clock.Now().Format("2006-01-02T15:04:05.000Z")
	}
	at.events = append(at.events, event)
}

func (b *brewer) bottle(ctx context.Context, d Deed) error {
	at, r := b.batches[d.Batch], b.plan.Batches[d.Batch]
	in := thing{"stage": 2, "bottleCount": r.Bottles, "bottleVolumeMl": r.Volume, "targetHoursStage2": r.HoursStage2,
		"temperatureCStage2": r.Warmth}
	if _, _, err := b.call(ctx, http.MethodPost, "/batches/"+at.id+"/stage", in); err != nil {
		return err
	}
	maps.Copy(at.want, in)
	maps.Copy(at.want, b.when("startTimeStage2"))
	b.notes(at, thing{"type": "stage_transition", "fromStage": 1, "toStage": 2})
	return nil
}

func (b *brewer) moveOn(ctx context.Context, d Deed) error {
	at := b.batches[d.Batch]
	if _, _, err := b.call(ctx, http.MethodPost, "/batches/"+at.id+"/status", thing{"status": d.Text}); err != nil {
		return err
	}
	b.notes(at, thing{"type": "status_change", "fromStatus": at.want["status"], "toStatus": d.Text})
	at.want["status"] = d.Text
	if d.Text == "archived" {
		delete(at.want, "archivedAt")
		maps.Copy(at.want, b.when("archivedAt"))
	}
	return nil
}

func (b *brewer) share(ctx context.Context, d Deed) error {
	at := b.batches[d.Batch]
	in := thing{"isPublic": d.Kind == Share}
	if d.Kind == Share {
		in["publicNote"] = d.Text
	}
	if _, _, err := b.call(ctx, http.MethodPatch, "/batches/"+at.id, in); err != nil {
		return err
	}
	maps.Copy(at.want, in)
	return nil
}

// leave deletes everything. After a lost response there may be nothing left to delete.
func (b *brewer) leave(ctx context.Context) error {
	if _, heard, err := b.call(ctx, http.MethodDelete, "/profile", nil); err != nil && (heard.Repeats == 0 ||
		sim.Status(err) != http.StatusNotFound) {
		return err
	}
	b.left = true
	return nil
}
