package devicetoken

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

func (w *world) phones(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" registers "([^"]*)"$`, w.registers)
	sc.Step(`^"([^"]*)" registers "([^"]*)" as an? (ios|android) phone$`, w.registersAs)
	sc.Step(`^"([^"]*)" registers "([^"]*)" with a new token$`, w.registersAnew)
	sc.Step(`^"([^"]*)" has registered "([^"]*)"$`, w.hasRegistered)
	sc.Step(`^"([^"]*)" has registered (\d+) phones$`, w.hasRegisteredMany)
	sc.Step(`^"([^"]*)" registers "([^"]*)" (\d+) times at once, each with a token of its own$`, w.registersAtOnce)
	sc.Step(`^"([^"]*)" opens the app on "([^"]*)"$`, w.refreshes)
	sc.Step(`^"([^"]*)" opens the app on "([^"]*)", which has a new token$`, w.refreshesAnew)
	sc.Step(`^"([^"]*)" looks at "([^"]*)"$`, func(ctx context.Context, user, phone string) error {
		return w.SendAs(ctx, user, http.MethodGet, "/devices/"+phone, nil)
	})
	sc.Step(`^"([^"]*)" logs out on "([^"]*)"$`, func(ctx context.Context, user, phone string) error {
		return w.SendAs(ctx, user, http.MethodPost, "/devices/"+phone+"/deactivate", nil)
	})
	sc.Step(`^"([^"]*)" deletes "([^"]*)"$`, func(ctx context.Context, user, phone string) error {
		return w.SendAs(ctx, user, http.MethodDelete, "/devices/"+phone, nil)
	})
	sc.Step(`^it has the token of one of the registrations$`, w.tokenOfOne)
}

// token returns the push token of a phone. If there is a push service, it is the token that the service issued. Steps
// refer to it as {token of phone}.
func (w *world) token(phone string) (string, error) {
	if w.tokens[phone] == 0 {
		w.tokens[phone] = 1
	}
	token := "ExponentPushToken[" + phone + "-" + strconv.Itoa(w.tokens[phone]) + "]"
	if w.gateway != nil {
		p, found := w.gateway.Phone(phone)
		if !found {
			var err error
			if p, err = w.gateway.Install(phone, pushgateway.IOS, ""); err != nil {
				return "", err
			}
		}
		token = p.ExpoToken
	}
	w.Set("token of "+phone, token)
	return token, nil
}

// rotate gives a phone a new push token.
func (w *world) rotate(phone string) {
	w.tokens[phone]++
	if w.gateway != nil {
		w.gateway.Rotate(phone)
	}
}

func (w *world) registers(ctx context.Context, user, phone string) error {
	return w.registersAs(ctx, user, phone, "ios")
}

func (w *world) registersAs(ctx context.Context, user, phone, platform string) error {
	token, err := w.token(phone)
	if err != nil {
		return err
	}
	return w.SendAs(ctx, user, http.MethodPost, "/devices", registration(phone, token, platform))
}

func (w *world) registersAnew(ctx context.Context, user, phone string) error {
	w.rotate(phone)
	return w.registers(ctx, user, phone)
}

func (w *world) hasRegistered(ctx context.Context, user, phone string) error {
	if err := w.registers(ctx, user, phone); err != nil {
		return err
	}
	w.Set("registration of "+phone, steps.Timestamp(w.Clock.Now()))
	return w.Last.Succeeded()
}

func (w *world) hasRegisteredMany(ctx context.Context, user string, n int) error {
	for i := range n {
		if err := w.hasRegistered(ctx, user, fmt.Sprintf("%s-%d", user, i+1)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) registersAtOnce(ctx context.Context, user, phone string, n int) error {
	as, err := w.Credential(user)
	w.SendConcurrently(n, func(i int) httpapi.Response {
		return w.Send(ctx, as, http.MethodPost, "/devices",
			registration(phone, fmt.Sprintf("ExponentPushToken[at-once-%d]", i), "ios"))
	})
	return err
}

// tokenOfOne checks that a device in a response has one of the tokens of registersAtOnce.
func (w *world) tokenOfOne() error {
	got, _, err := w.Field("expoPushToken")
	for i := range w.Responses {
		if got == fmt.Sprintf("ExponentPushToken[at-once-%d]", i) {
			return nil
		}
	}
	return fmt.Errorf("its token is %q: %w", got, err)
}

func (w *world) refreshes(ctx context.Context, user, phone string) error {
	token, err := w.token(phone)
	if err != nil {
		return err
	}
	return w.SendAs(ctx, user, http.MethodPut, "/devices/"+phone, map[string]string{"expoPushToken": token})
}

func (w *world) refreshesAnew(ctx context.Context, user, phone string) error {
	w.rotate(phone)
	return w.refreshes(ctx, user, phone)
}

func registration(phone, token, platform string) map[string]any {
	return map[string]any{"deviceId": phone, "expoPushToken": token, "platform": platform}
}
