package devicetoken

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) credentials(sc *godog.ScenarioContext) {
	sc.Step(`^(.*) is requested with (.*)$`, w.requestsWith)
	sc.Step(`^"([^"]*)" keeps using a token that was valid for (\d+) minutes$`, w.keepsUsingToken)
}

// requestsWith sends a request with a bad credential.
func (w *world) requestsWith(ctx context.Context, what, credential string) error {
	as, err := w.credential(credential)
	if err != nil {
		return err
	}
	body := registration("anas-phone", "ExponentPushToken[strangers]", "ios")
	switch what {
	case "a registration":
		w.SendStep(ctx, as, http.MethodPost, "/devices", body)
	case "a refresh":
		w.SendStep(ctx, as, http.MethodPut, "/devices/anas-phone",
			map[string]string{"expoPushToken": "ExponentPushToken[strangers]"})
	case "a phone":
		w.SendStep(ctx, as, http.MethodGet, "/devices/anas-phone", nil)
	case "the list":
		w.SendStep(ctx, as, http.MethodGet, "/devices", nil)
	case "a deletion":
		w.SendStep(ctx, as, http.MethodDelete, "/devices/anas-phone", nil)
	case "the deletion of everything":
		w.SendStep(ctx, as, http.MethodDelete, "/devices", nil)
	case "a push":
		w.SendStep(ctx, as, http.MethodPost, "/users/ana/push", map[string]string{"title": "a", "body": "b"})
	case "a diagnosis":
		w.SendStep(ctx, as, http.MethodGet, "/users/ana/diagnosis", nil)
	default:
		return fmt.Errorf("unknown request: %s", what)
	}
	return nil
}

// credential returns a bad credential by its name in steps. {presented} is set to the token it contains.
func (w *world) credential(name string) (httpapi.Credential, error) {
	good, err := w.Issuer.Token("ana", time.Hour)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(good, ".")
	token := ""
	switch name {
	case "no token":
		return httpapi.Anonymous, nil
	case "an expired token":
		token, err = w.Issuer.Token("ana", -time.Hour)
	case "a forged token":
		token, err = w.forged()
	case "an unsigned token":
		token = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + parts[1] + "."
	case "a token cut short":
		token = good[:len(good)-8]
	case "a token with another payload":
		token = parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"ana","exp":99999999999}`)) + "." +
			parts[2]
	case "a token of 9 KB":
		token = good + strings.Repeat("A", 9<<10)
	case "the operator's token":
		token = adminToken
	case "a user's token":
		token = good
	default:
		err = fmt.Errorf("nobody has %s", name)
	}
	w.Set("presented", token)
	return httpapi.Bearer(token), err
}

// forged returns a token of an issuer with the backend's name but another key.
func (w *world) forged() (string, error) {
	other, err := auth.NewIssuer(w.Clock.Now)
	if err != nil {
		return "", err
	}
	other.URL = w.Issuer.URL
	return other.Token("ana", time.Hour)
}

// keepsUsingToken gets a token, waits until it has expired and uses it.
func (w *world) keepsUsingToken(ctx context.Context, user string, minutes int) error {
	token, err := w.Issuer.Token(user, time.Duration(minutes)*time.Minute)
	if err != nil {
		return err
	}
	w.Clock.Advance(time.Duration(minutes)*time.Minute + 31*time.Second) // past the leeway of 30 seconds
	w.SendStep(ctx, httpapi.Bearer(token), http.MethodGet, "/devices", nil)
	return nil
}
