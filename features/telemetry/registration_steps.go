package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) registration(sc *godog.ScenarioContext) {
	sc.Step(`^a device "([^"]*)" that is not registered$`, func(name string) { w.device(name) })
	sc.Step(`^the device "([^"]*)" registers$`, w.registers)
	sc.Step(`^the device "([^"]*)" is registered$`, w.isRegistered)
	sc.Step(`^the device "([^"]*)" registers (\d+) times at once$`, w.registersAtOnce)
	sc.Step(`^the device "([^"]*)" registers with the boot id "([^"]*)"$`, w.registersWithBoot)
	sc.Step(`^a device with the hardware address "([^"]*)" registers$`, w.registersWithAddress)
	sc.Step(`^"([^"]*)" starts again with firmware "([^"]*)" and the sensors "([^"]*)"$`, w.startsAgain)
	sc.Step(`^"([^"]*)" is looked up$`, w.lookUp)
	sc.Step(`^"([^"]*)" is named "([^"]*)"$`, w.rename)
	sc.Step(`^it is registered as new$`, func() error { return w.welcomed(http.StatusCreated) })
	sc.Step(`^it is recognised$`, func() error { return w.welcomed(http.StatusOK) })
	sc.Step(`^it was first registered now and last seen now$`, w.firstAndLastNow)
	sc.Step(`^it was last seen now$`, w.lastSeenNow)
	sc.Step(`^it was last seen (\d+) minutes? ago$`, func(minutes int) error {
		return w.lastSeen(w.Clock.Now().Add(-time.Duration(minutes) * time.Minute))
	})
	sc.Step(`^it keeps its confirmation id and registration date$`, w.keepsConfirmation)
	sc.Step(`^every response has the same confirmation$`, w.sameConfirmation)
	sc.Step(`^the response is the device "([^"]*)"$`, w.answerIsDevice)
	sc.Step(`^"([^"]*)" is a UUID of version 4$`,
		w.filledMatches(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
}

// fleetKey returns the key that the scenario's devices use, created when first needed.
func (w *world) fleetKey(ctx context.Context) (httpapi.Credential, error) {
	const name = "the fleet's own"
	if _, ok := w.keys[name]; !ok {
		if err := w.createKey(ctx, name); err != nil {
			return nil, err
		}
	}
	return apiKeyCredential(w.keys[name].raw), nil
}

// data is like Act, with the fleet's key.
func (w *world) data(ctx context.Context, method, path string, body any) error {
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	w.SendStep(ctx, key, method, path, body)
	return nil
}

func (w *world) registers(ctx context.Context, name string) error {
	d := w.device(name)
	if err := w.data(ctx, http.MethodPost, "/devices", d.registration()); err != nil || w.Last.Status/100 != 2 {
		return err
	}
	record, err := httpapi.Decode[deviceRecord](w.Last)
	if d.record.ConfirmationID == "" {
		d.record = record
		w.Set("confirmation of "+name, record.ConfirmationID)
	}
	return err
}

func (w *world) isRegistered(ctx context.Context, name string) error {
	if err := w.registers(ctx, name); err != nil {
		return err
	}
	return w.Last.Succeeded()
}

func (w *world) registersAtOnce(ctx context.Context, name string, n int) error {
	d := w.device(name)
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	w.SendConcurrently(n, func(int) httpapi.Response {
		return w.Send(ctx, key, http.MethodPost, "/devices", d.registration())
	})
	return nil
}

func (w *world) registersWithBoot(ctx context.Context, name, boot string) error {
	w.device(name).bootID = boot
	return w.registers(ctx, name)
}

func (w *world) registersWithAddress(ctx context.Context, address string) error {
	w.device("the device").hardwareID = address
	return w.registers(ctx, "the device")
}

func (w *world) startsAgain(ctx context.Context, name, firmware, sensors string) error {
	d := w.device(name)
	w.boot(d)
	d.firmware, d.sensors = firmware, strings.Split(sensors, ", ")
	return w.registers(ctx, name)
}

func (w *world) lookUp(ctx context.Context, name string) error {
	return w.data(ctx, http.MethodGet, "/devices/"+w.device(name).hardwareID, nil)
}

func (w *world) rename(ctx context.Context, name, friendly string) error {
	path := "/devices/" + w.device(name).hardwareID + "/name"
	return w.data(ctx, http.MethodPut, path, map[string]string{"friendly_name": friendly})
}

func (w *world) welcomed(status int) error {
	if err := w.Last.HasStatus(status); err != nil {
		return err
	}
	got, err := httpapi.Decode[deviceRecord](w.Last)
	if err == nil && (got.HardwareID != w.current.hardwareID || got.LastBootID != w.current.bootID) {
		err = fmt.Errorf("it is about another device or boot: %s", w.Last)
	}
	return err
}

func (w *world) firstAndLastNow() error {
	if got := w.current.record.FirstRegisteredAt; got != steps.Timestamp(w.Clock.Now()) {
		return fmt.Errorf("it was first registered at %s", got)
	}
	return w.lastSeenNow()
}

func (w *world) lastSeenNow() error { return w.lastSeen(w.Clock.Now()) }

func (w *world) lastSeen(at time.Time) error {
	got, err := httpapi.Decode[deviceRecord](w.Last)
	if err == nil && got.LastSeenAt != steps.Timestamp(at) {
		err = fmt.Errorf("it was last seen at %s", got.LastSeenAt)
	}
	return err
}

func (w *world) keepsConfirmation() error {
	got, err := httpapi.Decode[deviceRecord](w.Last)
	before := w.current.record
	if before.ConfirmationID == "" ||
		got.ConfirmationID != before.ConfirmationID || got.FirstRegisteredAt != before.FirstRegisteredAt {
		return errors.Join(err, fmt.Errorf("it has %s of %s", got.ConfirmationID, got.FirstRegisteredAt))
	}
	return err
}

func (w *world) sameConfirmation() error {
	seen := map[string]bool{}
	for _, a := range w.Responses {
		got, err := httpapi.Decode[deviceRecord](a)
		if err != nil {
			return err
		}
		seen[got.ConfirmationID] = true
	}
	if len(seen) != 1 || seen[""] {
		return fmt.Errorf("there are %d confirmations", len(seen))
	}
	return nil
}

func (w *world) answerIsDevice(name string) error {
	got, err := httpapi.Decode[deviceRecord](w.Last)
	if err == nil && got.HardwareID != w.device(name).hardwareID {
		err = fmt.Errorf("it is %s", got.HardwareID)
	}
	return err
}

// filledMatches returns a step that matches a text, with its names replaced, against a pattern.
func (w *world) filledMatches(pattern string) func(string) error {
	return func(text string) error {
		got, err := w.Fill(text)
		if err == nil && !regexp.MustCompile(pattern).MatchString(got) {
			err = fmt.Errorf("it is %q", got)
		}
		return err
	}
}
