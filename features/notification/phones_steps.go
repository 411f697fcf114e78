package notification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) phones(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" has the phone "([^"]*)"$`, w.hasPhone)
	sc.Step(`^the app is removed from "([^"]*)"$`, func(phone string) { w.gateway.Uninstall(phone) })
	sc.Step(`^"([^"]*)" received (nothing|"[^"]*"|\d+ push(?:es)?)$`, w.received)
	sc.Step(`^"([^"]*)" registers the device "([^"]*)"$`, func(ctx context.Context, user, device string) error {
		return w.SendAs(ctx, user, http.MethodPost, "/devices", deviceBody(device))
	})
	sc.Step(`^"([^"]*)" revokes the device "([^"]*)"$`, func(ctx context.Context, user, device string) error {
		return w.SendAs(ctx, user, http.MethodDelete, "/devices/"+device, nil)
	})
	sc.Step(`^"([^"]*)" gives the device "([^"]*)" the token "([^"]*)"$`,
		func(ctx context.Context, user, device, token string) error {
			return w.SendAs(ctx, user, http.MethodPut, "/devices/"+device, map[string]string{"pushToken": token})
		})
	sc.Step(`^"([^"]*)" has registered the devices "([^"]*)", a minute apart$`, w.hasRegistered)
	sc.Step(`^(\d+) devices of "([^"]*)" register at once$`, w.registerAtOnce)
	sc.Step(`^"([^"]*)" has the devices "([^"]*)"( in any order)?$`, w.hasDevices)
	sc.Step(`^"([^"]*)" has (\d+) devices$`, func(ctx context.Context, user string, n int) error {
		devices, err := w.devicesOf(ctx, user)
		if err == nil && len(devices) != n {
			err = fmt.Errorf("they are %v", devices)
		}
		return err
	})
}

func deviceBody(device string) map[string]string {
	return map[string]string{"deviceId": device, "pushToken": "token-of-" + device, "platform": "fcm", "label": device}
}

// hasPhone registers a phone that has the app.
func (w *world) hasPhone(ctx context.Context, user, phone string) error {
	p, err := w.gateway.Install(phone, "android", "tabletop")
	if err != nil {
		return err
	}
	return w.MustSendAs(ctx, user, http.MethodPost, "/devices", map[string]string{"deviceId": phone,
		"pushToken": p.DeviceToken,
		"platform":  "fcm"})
}

func (w *world) received(phone, want string) error {
	var got []string
	for _, d := range w.gateway.Deliveries(0, 0) {
		if d.Phone == phone {
			got = append(got, d.Body)
		}
	}
	var n int
	switch _, err := fmt.Sscanf(want, "%d push", &n); {
	case err == nil:
		if len(got) == n {
			return nil
		}
	case want == "nothing":
		if len(got) == 0 {
			return nil
		}
	case strings.Join(got, "; ") == strings.Trim(want, `"`):
		return nil
	}
	return fmt.Errorf("it received %q", got)
}

func (w *world) hasRegistered(ctx context.Context, user, devices string) error {
	for device := range strings.SplitSeq(devices, ", ") {
		if err := errors.Join(w.MustSendAs(ctx, user, http.MethodPost, "/devices", deviceBody(device)),
			w.AdvanceClock(time.Minute)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) registerAtOnce(ctx context.Context, n int, user string) error {
	as, err := w.Credential(user)
	if err != nil {
		return err
	}
	w.SendConcurrently(n, func(i int) httpapi.Response {
		return w.Send(ctx, as, http.MethodPost, "/devices", deviceBody(fmt.Sprintf("device-%d", i+1)))
	})
	return nil
}

func (w *world) devicesOf(ctx context.Context, user string) ([]string, error) {
	if err := w.MustSendAs(ctx, user, http.MethodGet, "/devices", nil); err != nil {
		return nil, err
	}
	list, err := httpapi.Decode[struct{ Devices []struct{ DeviceID string } }](w.Last)
	var ids []string
	for _, d := range list.Devices {
		ids = append(ids, d.DeviceID)
	}
	return ids, err
}

func (w *world) hasDevices(ctx context.Context, user, want, anyOrder string) error {
	ids, err := w.devicesOf(ctx, user)
	if anyOrder != "" {
		slices.Sort(ids)
	}
	if err == nil && strings.Join(ids, ", ") != want {
		err = fmt.Errorf("they are %v", ids)
	}
	return err
}
