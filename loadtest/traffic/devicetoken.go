package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// devicetoken is a population of users with their phones.
type devicetoken struct {
	*users
	perUser       int
	installed     int
	registrations registrations
}

func newDevicetoken(c Setup) *devicetoken {
	return &devicetoken{users: newUsers(c), perUser: c.Profile.Population["devices"], registrations: registrations{}}
}

// Prepare signs in all users and registers their phones.
func (d *devicetoken) Prepare(ctx context.Context, done func(done, total int)) error {
	step := progressStep(len(d.tokens)*(1+d.perUser), done)
	if err := d.signIn(ctx, step); err != nil {
		return err
	}
	return forEach(ctx, len(d.tokens)*d.perUser, step, func(ctx context.Context, i int) error {
		user, device := i/d.perUser, i%d.perUser
		return d.api.do(ctx, registration(deviceID(user, device), "first"), d.tokens[user], nil)
	})
}

// Join signs in all users.
func (d *devicetoken) Join(ctx context.Context, _ json.RawMessage) error {
	return d.signIn(ctx, func() {})
}

func (d *devicetoken) next(number int, p profile.Part) draft {
	user := d.pick(number, p, len(d.tokens))
	device := 0
	if p.Only == 0 && d.perUser > 0 {
		device = d.rand.IntN(d.perUser)
	}
	id := deviceID(user, device)
	switch p.Request {
	case "register":
		return d.registering(user, id, fmt.Sprintf("%016x", d.rand.Uint64()))
	case "install":
		d.installed++
		return d.registering(user, fmt.Sprintf("new-%d", d.installed), "first")
	case "device":
		return d.request(call{http.MethodGet, "/devicetoken/devices/" + id, nil}, user)
	}
	return d.request(call{http.MethodGet, "/devicetoken/devices", nil}, user)
}

// registering returns a registration whose tag has the device and the token.
func (d *devicetoken) registering(user int, id, token string) draft {
	return func(context.Context) (request, error) {
		r, err := d.encode(registration(id, token), user)
		r.tag = id + " " + pushToken(token)
		return r, err
	}
}

// deviceID returns an id as long as a real phone's.
func deviceID(user, device int) string {
	return fmt.Sprintf("6f9619ff-8b86-4011-b42d-%06x%06x", user, device)
}

// registration returns a registration with a token as long as Expo's.
func registration(id, token string) call {
	platform := "ios"
	if id[len(id)-1]%2 == 0 {
		platform = "android"
	}
	return call{http.MethodPost, "/devicetoken/devices", map[string]string{
		"deviceId": id, "platform": platform, "expoPushToken": pushToken(token),
	}}
}

func pushToken(token string) string { return fmt.Sprintf("ExponentPushToken[%022s]", token) }
