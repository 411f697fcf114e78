package phones

import (
	"context"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// phone is a user's phone and its expected state in the backend. Only the user's deeds access it, one at a time.
type phone struct {
	run      *run
	id       string // its id in the backend and the gateway
	platform string
	caller   *sim.Caller
	twin     *sim.Caller // for what the app does twice concurrently

	installed, loggedIn bool
	token               string          // the app's current token, or its last one
	noticed             map[string]bool // dead tokens that Expo knows of

	device *Device // the expected device in the table; nil if there must be none
}

// alive reports whether a push to the device reaches the app.
func (p *phone) alive() bool { return p.installed && p.device != nil && p.device.Token == p.token }

// acts reports whether an event has an effect.
func (p *phone) acts(e Event) bool {
	switch e.Kind {
	case Open:
		return p.installed && (p.loggedIn || e.Login) || !p.installed && (e.Install || p.token == "")
	case LogOut, Remove:
		return p.installed && p.loggedIn
	default:
		return e.Kind == Uninstall && p.installed
	}
}

// act performs an event. REQUIRES: acts is true for it.
func (p *phone) act(ctx context.Context, e Event) error {
	switch e.Kind {
	case Open:
		return p.open(ctx, e)
	case LogOut:
		p.loggedIn = false
		return p.logOut(ctx)
	case Remove:
		p.loggedIn = false
		return p.remove(ctx)
	default:
		p.installed = false
		p.run.ledger.Did(didUninstall)
		_, err := p.run.pushes.Uninstall(ctx, p.id)
		return err
	}
}

// open launches the app: it is installed if necessary, gets its token and registers.
func (p *phone) open(ctx context.Context, e Event) error {
	p.run.ledger.Did(didOpen)
	rotated := false
	if !p.installed {
		if err := p.install(ctx); err != nil {
			return err
		}
	} else if e.Rotate {
		rotated = true
		gateway, err := p.run.pushes.Rotate(ctx, p.id)
		if err != nil {
			return err
		}
		p.token = gateway.ExpoToken
		p.run.ledger.Did(didRotate)
	}
	p.loggedIn = true
	if rotated && e.Put {
		if done, err := p.put(ctx); done || err != nil {
			return err
		}
	}
	if err := p.register(ctx, e.Twice); err != nil || !e.Check {
		return err
	}
	return p.check(ctx)
}

func (p *phone) install(ctx context.Context) error {
	gateway, err := p.run.pushes.Install(ctx, p.id, p.platform, "")
	if err != nil {
		return err
	}
	p.installed, p.token = true, gateway.ExpoToken
	delete(p.noticed, p.token) // an iPhone has the same token as before, which is valid again
	p.run.ledger.Did(didInstall)
	return nil
}

// register is PE-P1, and PE-P2 for an existing device; with twice, two requests are in progress concurrently.
func (p *phone) register(ctx context.Context, twice bool) error {
	callers := []*sim.Caller{p.caller}
	if twice {
		callers = append(callers, p.twin)
	}
	answers := make([]Device, len(callers))
	heard := make([]sim.Heard, len(callers))
	from := p.run.now()
	g, gctx := errgroup.WithContext(ctx)
	for i, c := range callers {
		g.Go(func() error {
			in := map[string]string{"deviceId": p.id, "expoPushToken": p.token, "platform": p.platform}
			var err error
			heard[i], err = c.Call(gctx, sim.Call{Method: http.MethodPost, Path: "/devicetoken/devices", In: in,
				Out: &answers[i]})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if p.device != nil && p.device.expired(from) {
		p.run.ledger.Did(didExpire)
	}
	when := span{from, p.run.now()}
	latest := answers[0]
	for i, got := range answers {
		p.run.ledger.Did(map[bool]string{true: didRegister, false: didRefresh}[heard[i].Status == http.StatusCreated])
		p.expect(registered(got, p.device, p.id, p.platform, p.token, when, p.run.strict()))
		if got.UpdatedAt.After(latest.UpdatedAt) {
			latest = got
		}
	}
	if once := (sim.Heard{Status: http.StatusCreated}); twice && heard[0] == once && heard[1] == once {
		p.run.ledger.Fault(sim.Twice, "two concurrent registrations of device %s both returned 201", p.id)
	}
	p.device = &latest
	return nil
}

// put is PE-P2 alone; it returns false when there is no such device, which must then be registered.
func (p *phone) put(ctx context.Context) (bool, error) {
	var got Device
	from := p.run.now()
	in := map[string]string{"expoPushToken": p.token}
	heard, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPut, Path: p.path(""), In: in, Out: &got})
	if heard.Status == http.StatusNotFound {
		p.expectGone()
		p.device = nil
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.run.ledger.Did(didRefresh)
	if p.device == nil {
		p.run.ledger.Fault(sim.Foreign, "device %s was refreshed although it is not registered", p.id)
	}
	p.expect(registered(got, p.device, p.id, p.platform, p.token, span{from, p.run.now()}, p.run.strict()))
	p.device = &got
	return true, nil
}

// check is PE-P3: the app reads its device.
func (p *phone) check(ctx context.Context) error {
	got, there, err := p.get(ctx)
	if err != nil {
		return err
	}
	p.run.ledger.Did(didCheck)
	if !there {
		p.run.ledger.Fault(sim.Lost, "device %s does not exist right after its registration", p.id)
		return nil
	}
	for _, differing := range sim.Differences(p.device, got) {
		p.expect(fmt.Errorf("read back, %s", differing))
	}
	return nil
}

func (p *phone) get(ctx context.Context) (got Device, there bool, err error) {
	heard, err := p.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: p.path(""), Out: &got})
	if heard.Status == http.StatusNotFound {
		return got, false, nil
	}
	return got, err == nil, err
}

// logOut is PE-P5.
func (p *phone) logOut(ctx context.Context) error {
	var got Device
	from := p.run.now()
	heard, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: p.path("/deactivate"), Out: &got})
	p.run.ledger.Did(didLogOut)
	if heard.Status == http.StatusNotFound {
		p.expectGone()
		p.device = nil
		return nil
	}
	if err != nil {
		return err
	}
	if d := p.device; d == nil || got.IsActive || !(span{from, p.run.now()}).holds(got.UpdatedAt) ||
		got.Token != d.Token || got.ExpiresAt != d.ExpiresAt {
		p.run.ledger.Fault(sim.Changed, "device %s is not as expected after a logout", p.id)
	}
	p.device = &got
	return nil
}

// remove is PE-P6.
func (p *phone) remove(ctx context.Context) error {
	heard, err := p.caller.Call(ctx, sim.Call{Method: http.MethodDelete, Path: p.path("")})
	p.run.ledger.Did(didRemove)
	if heard.Status == http.StatusNotFound {
		if heard.Repeats == 0 {
			p.expectGone()
		}
		err = nil
	}
	p.device = nil
	return err
}

func (p *phone) path(rest string) string { return "/devicetoken/devices/" + p.id + rest }

// expect records a fault of the device, if err is not nil.
func (p *phone) expect(err error) {
	if err != nil {
		p.run.ledger.Fault(sim.Changed, "device %s: %v", p.id, err)
	}
}

// expectGone checks a response that there is no such device.
func (p *phone) expectGone() {
	if p.device != nil && !p.device.expired(p.run.now()) {
		p.run.ledger.Fault(sim.Lost, "device %s", p.id)
	}
}
