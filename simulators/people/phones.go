package people

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// mostActive is how many devices may be active.
const mostActive = 3

// phone is a phone of a person, and what the backend must know of it. Only its person's deeds touch it.
type phone struct {
	run      *run
	id       string // by which backend and gateway know it
	platform string
	caller   *sim.Caller

	installed  bool // the app is there, and its token is good
	registered bool // as the person knows
	seen       time.Time
	spans      []span // in which it was registered
}

// span is the time from a registration to its end; zero while there is none.
type span struct{ from, to time.Time }

// may reports whether pushes may come to the phone at a moment: registered at some time of it.
func (p *phone) may(at time.Time) bool {
	return slices.ContainsFunc(p.spans, func(s span) bool { return !at.Before(s.from) && (s.to.IsZero() || !at.After(s.to)) })
}

// must reports whether the phone was registered, with a token that was good, in all the time from one moment to
// another.
func (p *phone) must(from, to time.Time) bool {
	return slices.ContainsFunc(p.spans, func(s span) bool { return s.from.Before(from) && (s.to.IsZero() || s.to.After(to)) })
}

// ends notes that pushes do not reach the phone any more.
func (p *phone) ends() {
	if n := len(p.spans); n > 0 && p.spans[n-1].to.IsZero() {
		p.spans[n-1].to = p.run.now()
	}
}

// handle does what becomes of a phone.
func (p *person) handle(ctx context.Context, d Deed) error {
	if d.Kind == PickUpAll {
		return p.pickUp(ctx, p.phones...)
	}
	one := p.phones[d.Phone]
	switch {
	case d.Kind == PickUp || !one.registered || !one.installed:
		return p.pickUp(ctx, one)
	case d.Kind == Renew:
		return errors.Join(one.renew(ctx), p.takeStock(ctx))
	case d.Kind == PutDown:
		_, err := one.caller.Call(ctx, sim.Call{Method: http.MethodDelete, Path: "/notification/devices/" + one.id})
		one.registered = false
		one.ends()
		return err
	}
	one.installed = false // what the backend learns with the next push
	one.ends()
	_, err := p.run.pushes.Uninstall(ctx, one.id)
	return err
}

// renew has the push service give the app another token, of which the app tells the backend.
func (p *phone) renew(ctx context.Context) error {
	now := p.run.now()
	p.ends()
	gateway, err := p.run.pushes.Rotate(ctx, p.id)
	if err != nil {
		return err
	}
	in := map[string]string{"pushToken": gateway.DeviceToken}
	_, err = p.caller.Call(ctx, sim.Call{Method: http.MethodPut, Path: "/notification/devices/" + p.id, In: in})
	if sim.Status(err) == http.StatusNotFound { // a worker was told of the dead token first, at this moment
		return p.register(ctx, gateway)
	}
	p.seen, p.spans = now, append(p.spans, span{from: now})
	return err
}

// register tells the backend of the app's token.
func (p *phone) register(ctx context.Context, gateway pushgateway.Phone) error {
	p.ends()
	p.installed, p.registered, p.seen = true, true, p.run.now()
	p.spans = append(p.spans, span{from: p.seen})
	in := map[string]string{"deviceId": p.id, "pushToken": gateway.DeviceToken, "platform": p.platform, "label": p.id}
	_, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/devices", In: in})
	return err
}

// pickUp registers phones at the same time, with the app installed where it was not, and looks which are active then.
func (p *person) pickUp(ctx context.Context, phones ...*phone) error {
	g, gctx := errgroup.WithContext(ctx)
	for _, one := range phones {
		g.Go(func() error {
			gateway, err := p.run.pushes.Install(gctx, one.id, gatewayPlatform(one.platform), "")
			return errors.Join(err, one.register(gctx, gateway))
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return p.takeStock(ctx)
}

func gatewayPlatform(of string) string {
	if of == string(notification.APNs) {
		return pushgateway.IOS
	}
	return pushgateway.Android
}

// takeStock holds the list of active devices against the phones: never more than three; all that are registered, unless
// those seen longest ago had to make room; no other.
func (p *person) takeStock(ctx context.Context) error {
	var out struct{ Devices []notification.Device }
	if _, err := p.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: "/notification/devices", Out: &out}); err != nil {
		return err
	}
	if len(out.Devices) > mostActive {
		p.run.ledger.Fault(tooMany, "%s has %d active devices", p.id, len(out.Devices))
	}
	active, oldest := map[string]bool{}, p.run.now()
	for _, d := range out.Devices {
		i := slices.IndexFunc(p.phones, func(one *phone) bool { return one.id == string(d.DeviceID) && one.registered })
		if i < 0 || active[string(d.DeviceID)] {
			p.run.ledger.Fault(sim.Foreign, "device %s of %s", d.DeviceID, p.id)
			continue
		}
		active[p.phones[i].id] = true
		if p.phones[i].seen.Before(oldest) {
			oldest = p.phones[i].seen
		}
	}
	p.adopt(active, oldest)
	return nil
}

// adopt takes over which devices are active. One that is not must be lost, or seen no later than those that are, of
// which there are three then.
func (p *person) adopt(active map[string]bool, oldest time.Time) {
	for _, one := range p.phones {
		switch {
		case active[one.id]:
			p.run.ledger.Found(foundDevice)
		case one.registered:
			if one.installed && (len(p.phones) <= mostActive || one.seen.After(oldest)) {
				p.run.ledger.Fault(sim.Lost, "device %s of %s is not active", one.id, p.id)
			}
			one.registered = false
			one.ends()
		}
	}
}
