package phones

import (
	"context"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// phone is a user's phone and its expected state in the backend. Only the user's actions access it, one at a time.
type phone struct {
	run          *run
	id           string // its id in the backend and the gateway
	platform     string
	caller       *sim.Caller
	secondCaller *sim.Caller // for what the app does twice concurrently

	installed, loggedIn bool
	token               string          // the app's current token, or its last one
	reportedTokens      map[string]bool // dead tokens that Expo knows of

	device *Device // the expected device in the table; nil if there must be none
}

// reachable reports whether a push to the device reaches the app.
func (p *phone) reachable() bool { return p.installed && p.device != nil && p.device.Token == p.token }

// applies reports whether an event has an effect.
func (p *phone) applies(e Event) bool {
	switch e.Kind {
	case Open:
		return p.installed && (p.loggedIn || e.Login) || !p.installed && (e.Install || p.token == "")
	case LogOut, Remove:
		return p.installed && p.loggedIn
	default:
		return e.Kind == Uninstall && p.installed
	}
}

// perform performs an event. REQUIRES: acts is true for it.
func (p *phone) perform(ctx context.Context, e Event) error {
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
		p.run.ledger.CountAction(actionUninstall)
		_, err := p.run.pushLog.Uninstall(ctx, p.id)
		return err
	}
}

// open launches the app: it is installed if necessary, gets its token and registers.
func (p *phone) open(ctx context.Context, e Event) error {
	p.run.ledger.CountAction(actionOpen)
	rotated := false
	if !p.installed {
		if err := p.install(ctx); err != nil {
			return err
		}
	} else if e.Rotate {
		rotated = true
		gateway, err := p.run.pushLog.Rotate(ctx, p.id)
		if err != nil {
			return err
		}
		p.token = gateway.ExpoToken
		p.run.ledger.CountAction(actionRotate)
	}
	p.loggedIn = true
	if rotated && e.UseUpdate {
		if done, err := p.update(ctx); done || err != nil {
			return err
		}
	}
	if err := p.register(ctx, e.Twice); err != nil || !e.ReadBack {
		return err
	}
	return p.readBack(ctx)
}

func (p *phone) install(ctx context.Context) error {
	gateway, err := p.run.pushLog.Install(ctx, p.id, p.platform, "")
	if err != nil {
		return err
	}
	p.installed, p.token = true, gateway.ExpoToken
	delete(p.reportedTokens, p.token) // an iPhone has the same token as before, which is valid again
	p.run.ledger.CountAction(actionInstall)
	return nil
}

// register is PE-P1, and PE-P2 for an existing device; with twice, two requests are in progress concurrently.
func (p *phone) register(ctx context.Context, twice bool) error {
	callers := []*sim.Caller{p.caller}
	if twice {
		callers = append(callers, p.secondCaller)
	}
	devices := make([]Device, len(callers))
	outcomes := make([]sim.Outcome, len(callers))
	from := p.run.now()
	g, gctx := errgroup.WithContext(ctx)
	for i, c := range callers {
		g.Go(func() error {
			in := map[string]string{"deviceId": p.id, "expoPushToken": p.token, "platform": p.platform}
			var err error
			outcomes[i], err = c.Call(gctx, sim.Call{Method: http.MethodPost, Path: "/devicetoken/devices", In: in,
				Out: &devices[i]})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if p.device != nil && p.device.expired(from) {
		p.run.ledger.CountAction(actionExpire)
	}
	when := span{from, p.run.now()}
	latest := devices[0]
	for i, got := range devices {
		p.run.ledger.CountAction(map[bool]string{true: actionRegister,
			false: actionRefresh}[outcomes[i].Status == http.StatusCreated])
		p.reportChanged(checkRegistration(got, p.device, p.id, p.platform, p.token, when, p.run.strict()))
		if got.UpdatedAt.After(latest.UpdatedAt) {
			latest = got
		}
	}
	if once := (sim.Outcome{Status: http.StatusCreated}); twice && outcomes[0] == once && outcomes[1] == once {
		p.run.ledger.ReportFault(sim.Duplicated, "two concurrent registrations of device %s both returned 201", p.id)
	}
	p.device = &latest
	return nil
}

// update is PE-P2 alone; it returns false when there is no such device, which must then be registered.
func (p *phone) update(ctx context.Context) (bool, error) {
	var got Device
	from := p.run.now()
	in := map[string]string{"expoPushToken": p.token}
	outcome, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPut, Path: p.path(""), In: in, Out: &got})
	if outcome.Status == http.StatusNotFound {
		p.checkExpired()
		p.device = nil
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.run.ledger.CountAction(actionRefresh)
	if p.device == nil {
		p.run.ledger.ReportFault(sim.Unexpected, "device %s was refreshed although it is not registered", p.id)
	}
	p.reportChanged(checkRegistration(got, p.device, p.id, p.platform, p.token, span{from, p.run.now()}, p.run.strict()))
	p.device = &got
	return true, nil
}

// readBack is PE-P3: the app reads its device.
func (p *phone) readBack(ctx context.Context) error {
	got, exists, err := p.get(ctx)
	if err != nil {
		return err
	}
	p.run.ledger.CountAction(actionReadBack)
	if !exists {
		p.run.ledger.ReportFault(sim.Lost, "device %s does not exist right after its registration", p.id)
		return nil
	}
	for _, differing := range sim.Differences(p.device, got) {
		p.reportChanged(fmt.Errorf("read back, %s", differing))
	}
	return nil
}

func (p *phone) get(ctx context.Context) (got Device, exists bool, err error) {
	outcome, err := p.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: p.path(""), Out: &got})
	if outcome.Status == http.StatusNotFound {
		return got, false, nil
	}
	return got, err == nil, err
}

// logOut is PE-P5.
func (p *phone) logOut(ctx context.Context) error {
	var got Device
	from := p.run.now()
	outcome, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: p.path("/deactivate"), Out: &got})
	p.run.ledger.CountAction(actionLogOut)
	if outcome.Status == http.StatusNotFound {
		p.checkExpired()
		p.device = nil
		return nil
	}
	if err != nil {
		return err
	}
	if d := p.device; d == nil || got.IsActive || !(span{from, p.run.now()}).contains(got.UpdatedAt) ||
		got.Token != d.Token || got.ExpiresAt != d.ExpiresAt {
		p.run.ledger.ReportFault(sim.Changed, "device %s is not as expected after a logout", p.id)
	}
	p.device = &got
	return nil
}

// remove is PE-P6.
func (p *phone) remove(ctx context.Context) error {
	outcome, err := p.caller.Call(ctx, sim.Call{Method: http.MethodDelete, Path: p.path("")})
	p.run.ledger.CountAction(actionRemove)
	if outcome.Status == http.StatusNotFound {
		if outcome.Retries == 0 {
			p.checkExpired()
		}
		err = nil
	}
	p.device = nil
	return err
}

func (p *phone) path(rest string) string { return "/devicetoken/devices/" + p.id + rest }

// reportChanged records a fault of the device, if err is not nil.
func (p *phone) reportChanged(err error) {
	if err != nil {
		p.run.ledger.ReportFault(sim.Changed, "device %s: %v", p.id, err)
	}
}

// checkExpired checks a response that there is no such device.
func (p *phone) checkExpired() {
	if p.device != nil && !p.device.expired(p.run.now()) {
		p.run.ledger.ReportFault(sim.Lost, "device %s", p.id)
	}
}
