package devicetoken

import (
	"context"
	"net/http"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/access"
)

// Access returns who may do what with the device tokens.
func Access() access.System {
	s := access.System{
		Name: "devicetoken", Title: "Device tokens", Kinds: access.Users("adminToken"),
		Open:   access.MonitoringOperations(),
		Absent: map[string][]string{},
	}
	for id, operation := range map[string]string{
		"get-device": "GetItem", "refresh-device": "UpdateItem", "deactivate-device": "UpdateItem",
		"delete-device": "DeleteItem",
	} {
		s.Absent[id] = []string{operation + ` of "` + table + `" where "deviceId = '{deviceId}' AND userId = '{caller}'"`}
	}
	return s
}

func (w *world) access(sc *godog.ScenarioContext) {
	stage := &access.Tester{System: Access(), Service: w.Service, NewUser: w.user}
	stage.UseDynamoDB(w.World, table)
	stage.Steps(sc)
}

// user creates a user with a phone. A push also needs a push service.
func (w *world) user(ctx context.Context, name, operation string) (access.TestUser, error) {
	if operation == "push-to-user" {
		if err := w.receivePushes(); err != nil {
			return access.TestUser{}, err
		}
	}
	phone := "PHONE-" + strings.ToUpper(name)
	p := access.TestUser{
		Values: access.Values{"deviceId": phone, "userId": name}, Private: []string{name, phone, "ExponentPushToken[of-" +
			name}, Credentials: access.OperatorCredentials(adminToken),
	}
	as, err := w.Credential(name)
	if err != nil {
		return p, err
	}
	err = p.CreateResource(ctx, w.Service, as, http.MethodPost, "/devices", map[string]string{
		"deviceId": phone, "expoPushToken": "ExponentPushToken[of-" + name + "]", "platform": "ios",
	}, "")
	if err != nil {
		return p, err
	}
	return p, p.AddUserCredential(w.Issuer, w.Clock.Now, name, operation, as)
}
