package loadtest

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// devicetokenSystem is the backend of phones that get push messages, and its requests.
func devicetokenSystem() system {
	return system{
		kinds: map[string]kind{
			"register": {writes: true, needs: "devices"}, // one of the user's phones, which is refreshed
			"install":  {writes: true},                   // a phone that was not there
			"device":   {needs: "devices"},
			"devices":  {},
		},
		population: map[string]count{
			"users":   {least: 1, most: 100_000, scales: true},
			"devices": {most: 1_000}, // of each user
		},
		turns: "users",
		sort:  func(map[string]types.AttributeValue) string { return "device" },
		open: func(c Config) (subject, error) {
			return &devicetoken{people: newPeople(c), perUser: c.Profile.Population["devices"]}, nil
		},
	}
}

// devicetoken is people with their phones.
type devicetoken struct {
	*people
	perUser   int
	installed int
}

// prepare signs everybody in, and registers their phones.
func (d *devicetoken) prepare(ctx context.Context, done func(done, total int)) error {
	step := counted(len(d.tokens)*(1+d.perUser), done)
	if err := d.signIn(ctx, step); err != nil {
		return err
	}
	return each(ctx, len(d.tokens)*d.perUser, step, func(ctx context.Context, i int) error {
		user, device := i/d.perUser, i%d.perUser
		return d.api.do(ctx, registration(deviceID(user, device), "first"), d.tokens[user], nil)
	})
}

func (d *devicetoken) next(_ context.Context, number int, p Part) (request, error) {
	user := d.one(number, p, len(d.tokens))
	device := 0
	if p.Only == 0 && d.perUser > 0 {
		device = d.rand.IntN(d.perUser)
	}
	id := deviceID(user, device)
	switch p.Request {
	case "register":
		return d.request(registration(id, fmt.Sprintf("%016x", d.rand.Uint64())), user)
	case "install":
		d.installed++
		return d.request(registration(fmt.Sprintf("new-%d", d.installed), "first"), user)
	case "device":
		return d.request(call{http.MethodGet, "/devicetoken/devices/" + id, nil}, user)
	}
	return d.request(call{http.MethodGet, "/devicetoken/devices", nil}, user)
}

// measure counts how often the device that a part names is in its user's list, when one does.
func (d *devicetoken) measure(ctx context.Context, r *Report) error {
	i := slices.IndexFunc(r.Profile.Mix, func(p Part) bool { return p.Only > 0 })
	if i < 0 {
		return nil
	}
	user := r.Profile.Mix[i].Only - 1
	var list struct {
		Devices []struct {
			ID string `json:"deviceId"`
		} `json:"devices"`
	}
	if err := d.api.do(ctx, call{http.MethodGet, "/devicetoken/devices", nil}, d.tokens[user], &list); err != nil {
		return err
	}
	var n int64
	for _, device := range list.Devices {
		if device.ID == deviceID(user, 0) {
			n++
		}
	}
	r.ItemsOfTheOne = &n
	return nil
}

// deviceID is as long as one that a phone has.
func deviceID(user, device int) string {
	return fmt.Sprintf("6f9619ff-8b86-4011-b42d-%06x%06x", user, device)
}

// registration has a token as long as Expo's.
func registration(id, token string) call {
	platform := "ios"
	if id[len(id)-1]%2 == 0 {
		platform = "android"
	}
	return call{http.MethodPost, "/devicetoken/devices", map[string]string{
		"deviceId": id, "platform": platform, "expoPushToken": fmt.Sprintf("ExponentPushToken[%022s]", token),
	}}
}
