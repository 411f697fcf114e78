package traffic

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// registrations are the registrations acknowledged during the attack, by device.
type registrations map[string][]registered

// registered is one acknowledged registration of a device.
type registered struct {
	Token string    `json:"token"`
	Sent  time.Time `json:"sent"`
	Done  time.Time `json:"done"`
}

// phone is a device in the backend's responses.
type phone struct {
	ID    string `json:"deviceId"`
	Token string `json:"expoPushToken"`
}

// HandleResponse records acknowledged registrations.
func (d *devicetoken) HandleResponse(kind string, r *vegeta.Result, _ time.Duration) (int64, string) {
	if kind != "register" && kind != "install" || r.Error != "" {
		return 0, ""
	}
	id, token, _ := strings.Cut(tagOf(r), " ")
	d.registrations[id] = append(d.registrations[id], registered{token, r.Timestamp, r.End()})
	return 0, ""
}

// Observe returns the acknowledged registrations.
func (d *devicetoken) Observe(_ context.Context, o *Observations) error {
	o.Registrations = d.registrations
	return nil
}

// Inspect reads the push lists, if a limit compares them with the acknowledged registrations.
func (d *devicetoken) Inspect(ctx context.Context, o *Observations) (err error) {
	if !verdict.NeedsDurability(&result.Report{Profile: d.config.Profile}) {
		return nil
	}
	o.Early = map[string]bool{}
	for user := range d.tokens {
		for device := range d.perUser {
			o.Early[deviceID(user, device)] = true
		}
	}
	o.Tokens, o.Stored, err = d.readDevices(ctx)
	return err
}

// acknowledged counts the registrations of each device.
func (all registrations) acknowledged() acknowledged {
	made := acknowledged{}
	for id := range all {
		made.add(id)
	}
	return made
}

// stale returns how many devices have a token that is not that of a last registration.
func (all registrations) stale(tokens map[string]string) (n int64) {
	for id, made := range all {
		if token, listed := tokens[id]; listed && isStale(token, made) {
			n++
		}
	}
	return n
}

// readDevices reads the push list of every user. It returns the token of each device, and how often each device is in
// a list.
func (d *devicetoken) readDevices(ctx context.Context) (tokens map[string]string, count map[string]int, err error) {
	tokens, count = map[string]string{}, map[string]int{}
	var mu sync.Mutex
	err = forEach(ctx, len(d.tokens), func() {}, func(ctx context.Context, user int) error {
		var list struct{ Devices []phone }
		err := d.api.do(ctx, call{http.MethodGet, "/devicetoken/devices", nil}, d.tokens[user], &list)
		mu.Lock()
		defer mu.Unlock()
		for _, p := range list.Devices {
			tokens[p.ID] = p.Token
			count[p.ID]++
		}
		return err
	})
	return tokens, count, err
}

// isStale reports whether a token is not that of a last registration: no registration with it was acknowledged, or
// each of them ended before another one was sent.
func isStale(token string, all []registered) bool {
	return !slices.ContainsFunc(all, func(r registered) bool {
		return r.Token == token && !slices.ContainsFunc(all, func(later registered) bool { return later.Sent.After(r.Done) })
	})
}
