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

// maxActiveDevices is the maximum number of active devices.
const maxActiveDevices = 3

// phone is a person's phone and its expected state in the backend. Only its person's actions access it.
type phone struct {
	run      *run
	id       string // its id in the backend and the gateway
	platform string
	caller   *sim.Caller

	installed     bool // the app is installed, and its token is valid
	registered    bool // as far as the person knows
	lastSeen      time.Time
	registrations []span // when it was registered
}

// span is the time from a registration to its end; to is zero while it lasts.
type span struct{ from, to time.Time }

// mayReceive reports whether a push may arrive at the phone at a time: it was registered at some point of it.
func (p *phone) mayReceive(at time.Time) bool {
	return slices.ContainsFunc(p.registrations, func(s span) bool {
		return !at.Before(s.from) && (s.to.IsZero() || !at.After(s.to))
	})
}

// mustReceive reports whether the phone was registered with a valid token all the time between two times.
func (p *phone) mustReceive(from, to time.Time) bool {
	return slices.ContainsFunc(p.registrations, func(s span) bool {
		return s.from.Before(from) && (s.to.IsZero() || s.to.After(to))
	})
}

// endSpan records that pushes no longer reach the phone.
func (p *phone) endSpan() {
	if n := len(p.registrations); n > 0 && p.registrations[n-1].to.IsZero() {
		p.registrations[n-1].to = p.run.now()
	}
}

// handlePhone performs an action about a phone.
func (p *person) handlePhone(ctx context.Context, d Action) error {
	if d.Kind == RegisterAllPhones {
		return p.registerPhones(ctx, p.phones...)
	}
	one := p.phones[d.Phone]
	switch {
	case d.Kind == RegisterPhone || !one.registered || !one.installed:
		return p.registerPhones(ctx, one)
	case d.Kind == RenewToken:
		return errors.Join(one.renew(ctx), p.checkDevices(ctx))
	case d.Kind == RevokePhone:
		_, err := one.caller.Call(ctx, sim.Call{Method: http.MethodDelete, Path: "/notification/devices/" + one.id})
		one.registered = false
		one.endSpan()
		return err
	}
	one.installed = false // the backend finds out with the next push
	one.endSpan()
	_, err := p.run.pushes.Uninstall(ctx, one.id)
	return err
}

// renew rotates the app's push token and registers the new one.
func (p *phone) renew(ctx context.Context) error {
	now := p.run.now()
	p.endSpan()
	gateway, err := p.run.pushes.Rotate(ctx, p.id)
	if err != nil {
		return err
	}
	in := map[string]string{"pushToken": gateway.DeviceToken}
	_, err = p.caller.Call(ctx, sim.Call{Method: http.MethodPut, Path: "/notification/devices/" + p.id, In: in})
	if sim.Status(err) == http.StatusNotFound { // a worker has just found the dead token
		return p.register(ctx, gateway)
	}
	p.lastSeen, p.registrations = now, append(p.registrations, span{from: now})
	return err
}

// register registers the app's token.
func (p *phone) register(ctx context.Context, gateway pushgateway.Phone) error {
	p.endSpan()
	p.installed, p.registered, p.lastSeen = true, true, p.run.now()
	p.registrations = append(p.registrations, span{from: p.lastSeen})
	in := map[string]string{"deviceId": p.id, "pushToken": gateway.DeviceToken, "platform": p.platform, "label": p.id}
	_, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/devices", In: in})
	return err
}

// registerPhones registers phones concurrently, installs the app where it is missing, and checks which are active then.
func (p *person) registerPhones(ctx context.Context, phones ...*phone) error {
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
	return p.checkDevices(ctx)
}

func gatewayPlatform(of string) string {
	if of == string(notification.APNs) {
		return pushgateway.IOS
	}
	return pushgateway.Android
}

// checkDevices compares the list of active devices with the phones: never more than three, all that are registered
// unless those seen longest ago were displaced, and no other.
func (p *person) checkDevices(ctx context.Context) error {
	var out struct{ Devices []notification.Device }
	if _, err := p.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: "/notification/devices",
		Out: &out}); err != nil {
		return err
	}
	if len(out.Devices) > maxActiveDevices {
		p.run.ledger.ReportFault(tooManyDevices, "%s has %d active devices", p.id, len(out.Devices))
	}
	active, oldest := map[string]bool{}, p.run.now()
	for _, d := range out.Devices {
		i := slices.IndexFunc(p.phones, func(one *phone) bool { return one.id == string(d.DeviceID) && one.registered })
		if i < 0 || active[string(d.DeviceID)] {
			p.run.ledger.ReportFault(sim.Unexpected, "device %s of %s", d.DeviceID, p.id)
			continue
		}
		active[p.phones[i].id] = true
		if p.phones[i].lastSeen.Before(oldest) {
			oldest = p.phones[i].lastSeen
		}
	}
	p.recordActive(active, oldest)
	return nil
}

// recordActive records which devices are active. An inactive one must be lost, or have been seen no later than the
// active ones, of which there must be three.
func (p *person) recordActive(active map[string]bool, oldest time.Time) {
	for _, one := range p.phones {
		switch {
		case active[one.id]:
			p.run.ledger.CountMatch(foundDevice)
		case one.registered:
			if one.installed && (len(p.phones) <= maxActiveDevices || one.lastSeen.After(oldest)) {
				p.run.ledger.ReportFault(sim.Lost, "device %s of %s is not active", one.id, p.id)
			}
			one.registered = false
			one.endSpan()
		}
	}
}
