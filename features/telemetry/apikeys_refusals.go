package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/cucumber/godog"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) apiKeyRefusals(sc *godog.ScenarioContext) {
	sc.Step(`^(a reading is delivered|a new device registers|a device is named|the devices are requested|the latest reading is requested|the readings are requested|a key is created|the keys are listed|a key is revoked) with (.+)$`,
		w.request)
	sc.Step(`^data is sent with the key "([^"]*)"$`, func(ctx context.Context, raw string) {
		w.SendStep(ctx, apiKeyCredential(raw), http.MethodPost, "/readings",
			body([]reading{w.device("greenhouse").reading(w.Clock.Now())}))
	})
	sc.Step(`^it is refused as unauthorized$`, func() error { return w.Last.HasStatus(http.StatusUnauthorized) })
	sc.Step(`^the service starts without a pepper$`, func() { w.pepper = ""; w.startup = w.start() })
	sc.Step(`^the service restarts with another pepper$`, func() error { w.pepper = "another pepper"; return w.start() })
	sc.Step(`^it does not start and says that it needs "([^"]*)"$`, w.doesNotStart)
}

// request sends one of the requests that need a key or the administrator's credential.
func (w *world) request(ctx context.Context, what, with string) error {
	as, err := w.credential(with)
	if err != nil {
		return err
	}
	d := w.device("greenhouse")
	newcomer := *d
	newcomer.hardwareID = hardwareID(99)
	path := "/devices/" + d.hardwareID
	switch what {
	case "a reading is delivered":
		w.SendStep(ctx, as, http.MethodPost, "/readings", body([]reading{d.reading(w.Clock.Now())}))
	case "a new device registers":
		w.SendStep(ctx, as, http.MethodPost, "/devices", newcomer.registration())
	case "a device is named":
		w.SendStep(ctx, as, http.MethodPut, path+"/name", map[string]string{"friendly_name": "Mine"})
	case "the devices are requested":
		w.SendStep(ctx, as, http.MethodGet, "/devices", nil)
	case "the latest reading is requested":
		w.SendStep(ctx, as, http.MethodGet, path+"/readings/latest", nil)
	case "the readings are requested":
		w.SendStep(ctx, as, http.MethodGet, path+"/readings", nil)
	case "a key is created":
		w.SendStep(ctx, as, http.MethodPost, "/api-keys", map[string]string{"description": "mine"})
	case "the keys are listed":
		w.SendStep(ctx, as, http.MethodGet, "/api-keys", nil)
	case "a key is revoked":
		w.SendStep(ctx, as, http.MethodDelete, "/api-keys/"+w.keys["fleet"].id, nil)
	}
	return nil
}

func (w *world) credential(text string) (httpapi.Credential, error) {
	switch text {
	case "no key", "no credential":
		return httpapi.Anonymous, nil
	case "an unknown key":
		return apiKeyCredential(strings.ReplaceAll(uuid.NewString()+uuid.NewString(), "-", "")), nil
	case "a key cut short":
		return apiKeyCredential(w.keys["fleet"].raw[:63]), nil
	case "a wrong password":
		return func(h http.Header) { h.Set("Authorization", "Bearer "+adminToken+"!") }, nil
	}
	name := strings.Trim(strings.TrimPrefix(text, "the key "), `"`)
	key, ok := w.keys[name]
	if !ok {
		return nil, fmt.Errorf("there is no key %s in this scenario", text)
	}
	return func(h http.Header) {
		apiKeyCredential(key.raw)(h)
		h.Set("Authorization", "Bearer "+key.raw)
	}, nil
}

func (w *world) doesNotStart(word string) error {
	if w.startup == nil || !strings.Contains(w.startup.Error(), word) {
		return fmt.Errorf("it says %v", w.startup)
	}
	return nil
}
