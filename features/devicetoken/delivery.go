package devicetoken

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

func (w *world) deliveries(sc *godog.ScenarioContext) {
	sc.Step(`^it was sent to the token "([^"]*)"$`, w.sentToToken)
	sc.Step(`^it shows "([^"]*)" and "([^"]*)", and the app gets (\{.*\})$`, w.shows)
	sc.Step(`^the push has this result for each phone:$`, w.resultsAre)
	sc.Step(`^the service retried after (.*) seconds, with up to 50% jitter$`, func(means string) error {
		return steps.ComparePauses(w.pauses, means, time.Second)
	})
	sc.Step(`^the push service is unavailable for (\d+) requests$`, func(n int) error {
		return w.gateway.Fail(pushgateway.Fault{Service: pushgateway.Expo, Status: http.StatusServiceUnavailable, Times: n})
	})
	sc.Step(`^the operator pushes to "([^"]*)", and a second later the app is reinstalled on "([^"]*)" before the push service responds$`,
		w.appReinstalled)
	sc.Step(`^the operator pushes to "([^"]*)", and "([^"]*)" deletes "([^"]*)" before the push service responds$`,
		w.deletesMeanwhile)
}

// interrupted returns the push service's handler. It calls meanwhile once, between the push service's decision and its
// response.
func (w *world) interrupted() http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		decided := httptest.NewRecorder()
		w.gateway.ServeHTTP(decided, r)
		if meanwhile := w.duringPush; meanwhile != nil {
			w.duringPush = nil
			w.duringPushErr = meanwhile(r.Context())
		}
		for name, values := range decided.Header() {
			out.Header()[name] = values
		}
		out.WriteHeader(decided.Code)
		_, _ = out.Write(decided.Body.Bytes())
	})
}

// pushesWhile pushes, and calls meanwhile while the push is under way.
func (w *world) pushesWhile(ctx context.Context, user string, during func(context.Context) error) error {
	w.duringPush, w.duringPushErr = during, nil
	w.pushesTo(ctx, user)
	return w.duringPushErr
}

func (w *world) appReinstalled(ctx context.Context, user, phone string) error {
	return w.pushesWhile(ctx, user, func(ctx context.Context) error {
		w.Clock.Advance(time.Second)
		p, err := w.gateway.Install(phone, pushgateway.IOS, "")
		if err != nil {
			return err
		}
		as, err := w.Credential(user)
		if err != nil {
			return err
		}
		return w.Send(ctx, as, http.MethodPost, "/devices", registration(phone, p.ExpoToken,
			pushgateway.IOS)).HasStatus(http.StatusOK)
	})
}

func (w *world) deletesMeanwhile(ctx context.Context, user, owner, phone string) error {
	return w.pushesWhile(ctx, user, func(ctx context.Context) error {
		as, err := w.Credential(owner)
		if err != nil {
			return err
		}
		return w.Send(ctx, as, http.MethodDelete, "/devices/"+phone, nil).HasStatus(http.StatusNoContent)
	})
}

// sentToToken checks that the last push was sent to this token only.
func (w *world) sentToToken(want string) error {
	token, err := w.Fill(want)
	if err != nil {
		return err
	}
	all := w.gateway.Deliveries(int64(w.delivered), 0)
	if len(all) == 0 {
		return errors.New("no push arrived")
	}
	for _, d := range all {
		if d.Token != token {
			return fmt.Errorf("it was sent to %s", d.Token)
		}
	}
	return nil
}

// shows checks what the last push delivered to the phones.
func (w *world) shows(title, body, data string) error {
	all := w.gateway.Deliveries(int64(w.delivered), 0)
	if len(all) == 0 {
		return errors.New("no push arrived")
	}
	for _, d := range all {
		if d.Title != title || d.Body != body || string(d.Data) != data {
			return fmt.Errorf("%s was sent %q, %q and %s", d.Phone, d.Title, d.Body, d.Data)
		}
	}
	return nil
}

type report struct {
	Devices []struct {
		DeviceID string `json:"deviceId"`
		Outcome  string `json:"outcome"`
		Reason   string `json:"reason"`
	} `json:"devices"`
}

// resultsAre compares the result of each phone's push, and a part of its reason if it has one, sorted by phone name.
func (w *world) resultsAre(rows *godog.Table) error {
	got, err := httpapi.Decode[report](w.Last)
	if err != nil {
		return err
	}
	if len(got.Devices) != len(rows.Rows) {
		return fmt.Errorf("it is %s", w.Last)
	}
	for i, row := range rows.Rows {
		d, because := got.Devices[i], row.Cells[2].Value
		if d.DeviceID != row.Cells[0].Value || d.Outcome != row.Cells[1].Value || !strings.Contains(d.Reason, because) ||
			(because == "") != (d.Reason == "") {
			return fmt.Errorf("%s: %s because %q", d.DeviceID, d.Outcome, d.Reason)
		}
	}
	return nil
}
