package kefir

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

func (w *world) reminderSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" sets the reminder "([^"]*)" on "([^"]*)" in (\d+) (minute|hour|day)s?$`, w.setsReminder)
	sc.Step(`^"([^"]*)" has set the reminder "([^"]*)" on "([^"]*)" in (\d+) (minute|hour|day)s?$`, w.hasSetReminder)
	sc.Step(`^"([^"]*)" has set (\d+) reminders on "([^"]*)", a minute apart$`, w.hasSetMany)
	sc.Step(`^"([^"]*)" cancels the reminder "([^"]*)" on "([^"]*)"$`, w.cancels)
	sc.Step(`^"([^"]*)" lists the reminders of "([^"]*)"$`, func(ctx context.Context, user, batch string) error {
		path, err := w.batchPath(batch)
		return errors.Join(err, w.listReminders(ctx, user, path+"/reminders"))
	})
	sc.Step(`^"([^"]*)" lists the upcoming reminders(?: in the next (\d+) days)?$`, w.upcoming)
	sc.Step(`^the operator lists the due reminders by (index|scan)$`, w.listsDue)
	sc.Step(`^the scan consumed at least (\d+) times the units of the index$`, w.scanConsumedMore)
	sc.Step(`^"([^"]*)" has the phone "([^"]*)"$`, w.hasPhone)
	sc.Step(`^the app is removed from "([^"]*)"$`, func(phone string) { w.gateway.Uninstall(phone) })
	sc.Step(`^the push service is unavailable$`, func() { w.pushUnavailable.Store(true) })
	sc.Step(`^the push service is available again$`, func() { w.pushUnavailable.Store(false) })
	sc.Step(`^a scheduler runs$`, func(ctx context.Context) error { return w.schedulersRun(ctx, 1) })
	sc.Step(`^(\d+) schedulers run at once$`, w.schedulersRun)
	sc.Step(`^a scheduler dies after the push, before recording it$`, w.schedulerDies)
	w.interruptionSteps(sc)
	sc.Step(`^"([^"]*)" received "([^"]*)"$`, w.received)
	sc.Step(`^"([^"]*)" received (\d+) reminders, each once$`, w.receivedEach)
	sc.Step(`^"([^"]*)" received nothing$`, func(phone string) error { return w.received(phone, "") })
}

// interruptionSteps registers the steps in which something happens after a scheduler has pushed and before it records
// that.
func (w *world) interruptionSteps(sc *godog.ScenarioContext) {
	sc.Step(`^a scheduler runs while "([^"]*)" cancels the reminder "([^"]*)" on "([^"]*)"$`,
		func(ctx context.Context, user, message, batch string) error {
			return w.runsWhile(ctx, 0, func() error { return w.cancels(ctx, user, message, batch) })
		})
	sc.Step(`^a scheduler runs while "([^"]*)" registers the device "([^"]*)" as (\{.*\})$`,
		func(ctx context.Context, user, device, body string) error {
			return w.runsWhile(ctx, 0, func() error {
				return w.MustSendAs(ctx, user, http.MethodPut, "/devices/"+device, []byte(body))
			})
		})
	const slow = `^a scheduler runs, and (\d+) minutes later, before the push service responds, `
	sc.Step(slow+`"([^"]*)" cancels the reminder "([^"]*)" on "([^"]*)"$`,
		func(ctx context.Context, n int, user, message, batch string) error {
			return w.runsWhile(ctx, n, func() error { return w.cancels(ctx, user, message, batch) })
		})
	sc.Step(slow+`another one runs$`, func(ctx context.Context, n int) error {
		return w.runsWhile(ctx, n, func() error { return w.schedulersRun(ctx, 1) })
	})
	sc.Step(slow+`another one dies after the push, before recording it$`, func(ctx context.Context, n int) error {
		return w.runsWhile(ctx, n, func() error { return w.schedulerDies(ctx) })
	})
}

// setsReminder creates a reminder. Steps refer to its id as {message}, and to its due time as {due message}.
func (w *world) setsReminder(ctx context.Context, user, message, batch string, n int, unit string) error {
	due := steps.Timestamp(w.Clock.Now().Add(steps.DurationOf(n, unit)))
	w.Set("due "+message, due)
	body := map[string]any{"message": message, "dueAt": due}
	if err := w.sendAbout(ctx, user, http.MethodPost, batch, "/reminders", body); err != nil {
		return err
	}
	id, found, err := w.Field("reminderId")
	if found {
		w.Set(message, id)
	}
	return err
}

func (w *world) hasSetReminder(ctx context.Context, user, message, batch string, n int, unit string) error {
	if err := w.setsReminder(ctx, user, message, batch, n, unit); err != nil {
		return err
	}
	return errors.Join(w.Last.Succeeded(), w.awaitIndexes(ctx))
}

func (w *world) hasSetMany(ctx context.Context, user string, n int, batch string) error {
	for i := range n {
		err := w.setsReminder(ctx, user, fmt.Sprintf("reminder %02d", i+1), batch, i+1, "minute")
		if err := errors.Join(err, w.Last.Succeeded()); err != nil {
			return err
		}
	}
	return w.awaitIndexes(ctx)
}

func (w *world) cancelPath(message, batch string) (string, error) {
	path, err := w.batchPath(batch)
	if err != nil {
		return "", err
	}
	id, err := w.Fill("{" + message + "}")
	return path + "/reminders/" + id + "/cancel", err
}

func (w *world) cancels(ctx context.Context, user, message, batch string) error {
	path, err := w.cancelPath(message, batch)
	if err != nil {
		return err
	}
	return w.SendAs(ctx, user, http.MethodPost, path, nil)
}

func (w *world) listReminders(ctx context.Context, user, path string) error {
	as, err := w.Credential(user)
	if err != nil {
		return err
	}
	return w.list(ctx, as, path, "reminders", "", func(r map[string]any) string {
		return fmt.Sprint(r["message"], " ", r["status"])
	})
}

func (w *world) upcoming(ctx context.Context, user, days string) error {
	path := "/reminders/upcoming"
	if days != "" {
		path += "?days=" + days
	}
	w.Set("7 days on", steps.Timestamp(w.Clock.Now().Add(steps.DurationOf(7, "day"))))
	return w.listReminders(ctx, user, path)
}

func (w *world) listsDue(ctx context.Context, by string) error {
	if err := w.awaitIndexes(ctx); err != nil {
		return err
	}
	w.SendStep(ctx, httpapi.Bearer(adminToken), http.MethodGet, "/admin/reminders/due?by="+by, nil)
	got, err := httpapi.Decode[struct {
		Units float64 `json:"readUnits"`
	}](w.Last)
	w.read[by] = got.Units
	return err
}

func (w *world) scanConsumedMore(times float64) error {
	if w.read["index"] == 0 || w.read["scan"] < times*w.read["index"] {
		return fmt.Errorf("the scan read %v units, the index %v", w.read["scan"], w.read["index"])
	}
	return nil
}

// hasPhone registers a phone that has the app for the push service.
func (w *world) hasPhone(ctx context.Context, user, phone string) error {
	if w.gateway == nil {
		w.gateway = pushgateway.New(pushgateway.Config{Now: w.Clock.Now})
	}
	p, err := w.gateway.Install(phone, "ios", "kefir")
	if err != nil {
		return err
	}
	return w.MustSendAs(ctx, user, http.MethodPut, "/devices/"+phone, map[string]string{"platform": "ios",
		"pushToken": p.ExpoToken})
}

// sender returns a client of the push service like Expo's.
func (w *world) sender() push.Sender {
	if w.gateway == nil {
		w.gateway = pushgateway.New(pushgateway.Config{Now: w.Clock.Now})
	}
	return push.NewExpo("http://push", &http.Client{Transport: wire.Handler(http.HandlerFunc(w.servePush))}, w.pause)
}

// servePush handles requests to the push service, and refuses them while the service is away.
func (w *world) servePush(out http.ResponseWriter, r *http.Request) {
	if w.pushUnavailable.Load() {
		out.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.gateway.ServeHTTP(out, r)
}

// schedulersRun runs n schedulers once, in parallel.
func (w *world) schedulersRun(ctx context.Context, n int) error {
	if err := w.awaitIndexes(ctx); err != nil {
		return err
	}
	service, err := w.service()
	if err != nil {
		return err
	}
	sender := w.sender()
	w.Wire.Reset()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { _, errs[i] = schema.NewScheduler(service, sender).RunOnce(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// hookedSender is a sender that calls after when it has sent. If that fails, the results are lost.
type hookedSender struct {
	push.Sender
	after func() error
}

func (b hookedSender) Send(ctx context.Context, messages []push.Message) ([]push.Result, error) {
	results, err := b.Sender.Send(ctx, messages)
	if failed := b.after(); failed != nil {
		return nil, failed
	}
	return results, err
}

func (w *world) schedulerDies(ctx context.Context) error {
	service, err := w.service()
	if err != nil {
		return err
	}
	dying, kill := context.WithCancel(ctx)
	sender := hookedSender{w.sender(), func() error { kill(); return context.Canceled }}
	if _, err := schema.NewScheduler(service, sender).RunOnce(dying); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("it lives: %w", err)
	}
	return nil
}

// runsWhile runs a scheduler whose push takes this number of minutes, and calls meanwhile at the end of it.
func (w *world) runsWhile(ctx context.Context, minutes int, during func() error) error {
	service, err := w.service()
	if err != nil {
		return err
	}
	sender := hookedSender{w.sender(), func() error {
		return errors.Join(w.AdvanceClock(steps.DurationOf(minutes, "minute")), during())
	}}
	_, err = schema.NewScheduler(service, sender).RunOnce(ctx)
	return err
}

// messagesOf returns the messages that a phone received, in order of arrival.
func (w *world) messagesOf(phone string) []string {
	var got []string
	for _, d := range w.gateway.Deliveries(0, 0) {
		if d.Phone == phone {
			got = append(got, d.Body)
		}
	}
	return got
}

func (w *world) received(phone, want string) error {
	if got := strings.Join(w.messagesOf(phone), ", "); got != want {
		return fmt.Errorf("it received %q", got)
	}
	return nil
}

func (w *world) receivedEach(phone string, n int) error {
	got := w.messagesOf(phone)
	slices.Sort(got)
	if once := slices.Compact(slices.Clone(got)); len(got) != n || len(once) != n {
		return fmt.Errorf("it received %d, %d of them different", len(got), len(once))
	}
	return nil
}

// awaitIndexes waits until GSI1 and the added indexes have all their items of the table. The service's indexes lag, and
// most scenarios are not about that. An emulator's lag follows its clock, which the scenarios about lag move.
func (w *world) awaitIndexes(ctx context.Context) error {
	if w.Target.Emulator != nil {
		return nil
	}
	return steps.Await(ctx, time.Minute, func() (bool, error) { return w.indexesCaughtUp(ctx) })
}
