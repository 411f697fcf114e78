package devicetoken

import (
	"context"
	"net/http"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/features/access"
)

const usersToken = "the user's token"

// Access is who may do what with the device tokens.
func Access() access.System {
	s := access.System{
		Name: "devicetoken", Title: "Device tokens", Kinds: append([]access.Kind{{Name: access.None}}, access.BadTokens()...),
		Open: map[string]access.Open{
			"health": {Why: "whoever watches the service"}, "stats": {Why: "whoever watches the service"},
		},
		Absent: map[string][]string{},
	}
	s.Kinds = append(s.Kinds, access.Kind{Name: usersToken, Scheme: auth.Scheme}, access.Kind{Name: "another user's token", Scheme: auth.Scheme, Of: usersToken})
	s.Kinds = append(s.Kinds, access.Operators("adminToken")...)
	for id, operation := range map[string]string{
		"get-device": "GetItem", "refresh-device": "UpdateItem", "deactivate-device": "UpdateItem", "delete-device": "DeleteItem",
	} {
		s.Absent[id] = []string{operation + ` of "` + table + `" where "deviceId = '{deviceId}' AND userId = '{caller}'"`}
	}
	return s
}

func (w *world) access(sc *godog.ScenarioContext) {
	stage := &access.Stage{System: Access(), Service: w.Service, Person: w.user}
	stage.OnDynamoDB(w.World, table)
	stage.Steps(sc)
}

// user makes somebody with a phone; a push needs a push service.
func (w *world) user(ctx context.Context, name, operation string) (access.Person, error) {
	if operation == "push-to-user" {
		if err := w.receivePushes(); err != nil {
			return access.Person{}, err
		}
	}
	phone := "PHONE-" + strings.ToUpper(name)
	p := access.Person{
		Values: access.Values{"deviceId": phone, "userId": name}, Private: []string{name, phone, "ExponentPushToken[of-" + name}, Shows: access.ShowOperator(adminToken),
	}
	as, err := w.As(name)
	if err != nil {
		return p, err
	}
	p.Shows[usersToken] = as
	err = p.Have(ctx, w.Service, as, http.MethodPost, "/devices", map[string]string{
		"deviceId": phone, "expoPushToken": "ExponentPushToken[of-" + name + "]", "platform": "ios",
	}, "")
	if err != nil {
		return p, err
	}
	if operation != "" { // that is asked for with good credentials alone
		return p, nil
	}
	return p, p.ShowBadTokens(w.Issuer, w.Clock.Now, name)
}
