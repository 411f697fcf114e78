package phones

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// reconcile compares the backend's state and the gateway's deliveries with what everybody did.
func (r *run) reconcile(ctx context.Context) error {
	if err := simenv.ForEach(ctx, r.users, func(ctx context.Context, u *user) error {
		return u.reconcile(ctx)
	}); err != nil {
		return err
	}
	if err := r.countItems(ctx); err != nil {
		return err
	}
	return r.reconcilePushes(ctx)
}

// reconcile reads back everything of one user: the devices that get pushes, all that the table has of the user, and
// each device that the user ever had.
func (u *user) reconcile(ctx context.Context) error {
	var listed, known struct{ Devices []Device }
	if _, err := u.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: "/devicetoken/devices",
		Out: &listed}); err != nil {
		return err
	}
	diagnosis := sim.Call{Method: http.MethodGet, Path: "/devicetoken/users/" + u.id + "/diagnosis", Out: &known}
	if _, err := u.run.env.Admin().Call(ctx, diagnosis); err != nil {
		return err
	}
	wantListed, platforms := map[string]*Device{}, map[string]string{}
	for _, p := range u.phones {
		if p.device.receivesPushes(u.run.now()) {
			wantListed[p.id] = p.device
		}
		if p.device != nil && !p.device.expired(u.run.now()) {
			platforms[p.id] = p.platform
		}
	}
	id := func(d Device) string { return d.DeviceID }
	sim.Compare(u.run.ledger, "device in the push list", "devices in push lists", wantListed, listed.Devices, id)
	if !u.run.strict() { // expired devices may still exist
		known.Devices = slices.DeleteFunc(known.Devices, func(d Device) bool { return d.expired(u.run.now()) })
	}
	for _, d := range known.Devices {
		if platforms[d.DeviceID] != d.Platform {
			u.run.ledger.ReportFault(sim.Unexpected, "device %s of %s", d.DeviceID, u.id)
		}
	}
	for _, p := range u.phones {
		if err := p.reconcile(ctx); err != nil {
			return err
		}
	}
	return nil
}

// reconcile reads one device back, even if there must be none.
func (p *phone) reconcile(ctx context.Context) error {
	got, exists, err := p.get(ctx)
	if err != nil {
		return err
	}
	if exists && got.expired(p.run.now()) && !p.run.strict() {
		exists = false
	}
	want, found := map[string]*Device{}, []Device{}
	if p.device != nil && !p.device.expired(p.run.now()) {
		want[p.id] = p.device
	}
	if exists {
		found = append(found, got)
	}
	if len(want)+len(found) == 0 && p.token != "" {
		p.run.ledger.CountMatch(foundRemoved)
	}
	sim.Compare(p.run.ledger, "device", "devices", want, found, func(d Device) string { return d.DeviceID })
	return nil
}

// table is the documented name of the table, in the backend's default environment.
const table = "photoeditor-dev-device-tokens"

// countItems counts the items of the table, if it is in this process: nothing is left that the API does not show.
func (r *run) countItems(ctx context.Context) error {
	if r.env.Embedded == nil {
		return nil
	}
	var want int
	for _, u := range r.users {
		for _, p := range u.phones {
			if p.device != nil && !p.device.expired(r.now()) {
				want++
			}
		}
	}
	items, err := r.env.Embedded.Scan(ctx, table)
	if err != nil {
		return err
	}
	if len(items) != want {
		r.ledger.ReportFault(sim.Unexpected, "the table has %d items, not %d", len(items), want)
	}
	return nil
}

// reconcilePushes compares the gateway's deliveries with the jobs.
func (r *run) reconcilePushes(ctx context.Context) error {
	deliveries, err := r.pushLog.Delivered(ctx)
	if err != nil {
		return err
	}
	for _, d := range deliveries {
		var data map[string]string
		if json.Unmarshal(d.Data, &data) != nil {
			continue
		}
		t, ours := r.pushes[data[dataKey]]
		switch {
		case !ours:
		case !t.required[d.Phone] && !t.allowed[d.Phone]:
			r.ledger.ReportFault(wrongPhone, "%s received the push of %s", d.Phone, data[dataKey])
		default:
			t.received[d.Phone]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.pushes)) {
		r.pushes[id].compare(r.ledger, id)
	}
	return nil
}

// compare compares the deliveries of one push with its recipients.
func (t sentPush) compare(ledger *sim.Ledger, id string) {
	for _, phone := range slices.Sorted(maps.Keys(t.required)) {
		if t.received[phone] == 0 {
			ledger.ReportFault(lostPush, "%s did not receive the push of %s", phone, id)
		}
	}
	for _, phone := range slices.Sorted(maps.Keys(t.received)) {
		if t.received[phone] > 1 {
			ledger.ReportFault(sim.Duplicated, "%s received the push of %s %d times", phone, id, t.received[phone])
		} else {
			ledger.CountMatch(foundPush)
		}
	}
}
