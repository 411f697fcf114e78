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
	token      string
	sent, done time.Time
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

// Measure compares the push lists with the acknowledged registrations, if a limit needs it.
func (d *devicetoken) Measure(ctx context.Context, r *result.Report) error {
	if !verdict.NeedsDurability(r) {
		return nil
	}
	tokens, listed, err := d.readDevices(ctx)
	if err != nil {
		return err
	}
	made := acknowledged{}
	var stale int64
	for id, all := range d.registrations {
		made.add(id)
		if listed[id] > 0 && isStale(tokens[id], all) {
			stale++
		}
	}
	early := map[string]bool{}
	for user := range d.tokens {
		for device := range d.perUser {
			early[deviceID(user, device)] = true
		}
	}
	r.Durability, r.Stale = made.compare(listed, early, r.Errors), &stale
	return nil
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
		return r.token == token && !slices.ContainsFunc(all, func(later registered) bool { return later.sent.After(r.done) })
	})
}
