package notification

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/features/access"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/wire"
)

// Access returns who may do what with the notifications.
func Access() access.System {
	return access.System{
		Name: "notification", Title: "Asora notifications", Kinds: access.Users("adminToken"),
		Open: access.MonitoringOperations(),
		Own:  map[string]string{"revoke-device": "a device that is not the caller's is revoked already"},
		Absent: map[string][]string{
			"read-notification": {`Patch of "notifications" in the partition "{caller}", the item "{read-notification.id}"`},
			"dismiss-notification": {
				`Patch of "notifications" in the partition "{caller}", the item "{dismiss-notification.id}"`},
			"refresh-device": {`Query of "device_tokens" in the partition "{caller}": SELECT * FROM c WHERE c.userId = '{caller}' AND c.deviceId = '{deviceId}'`},
		},
	}
}

func (w *world) access(sc *godog.ScenarioContext) {
	stage := &access.Tester{System: Access(), Service: w.Service, NewUser: w.user, Stored: w.documents}
	access.RecordCalls(stage, func() access.Recorder[wire.CosmosCall] { return w.Cosmos })
	stage.Steps(sc)
}

// documents returns the documents of all containers.
func (w *world) documents(ctx context.Context) (all []string, err error) {
	for _, c := range schema.Containers() {
		container, err := w.container(c.Name)
		if err != nil {
			return nil, err
		}
		for pages := container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil); pages.More(); {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return nil, err
			}
			for _, item := range page.Items {
				all = append(all, c.Name+" "+string(item))
			}
		}
	}
	return all, nil
}

// user creates a user with preferences, a device, an event and its notification.
func (w *world) user(ctx context.Context, name, operation string) (access.TestUser, error) {
	phone := "PHONE-" + strings.ToUpper(name)
	p := access.TestUser{
		Values:  access.Values{"userId": name, "deviceId": phone, "enqueue.payload": like("fan", name, "")["payload"]},
		Private: []string{name, phone}, Credentials: access.OperatorCredentials(adminToken),
	}
	as, err := w.Credential(name)
	if err != nil {
		return p, err
	}
	operator := httpapi.Bearer(adminToken)
	for _, r := range []struct {
		as           httpapi.Credential
		method, path string
		id           string
		body         any
	}{
		{as, http.MethodPut, "/preferences", "", map[string]string{"timezone": "Africa/Gaborone"}},
		{as, http.MethodPost, "/devices", "", map[string]string{"deviceId": phone, "pushToken": "token-of-" + name,
			"platform": "fcm"}},
		{operator, http.MethodPost, "/events", "id", like("fan", name, "")},
		{operator, http.MethodPost, "/work", "", nil},
	} {
		if err := p.CreateResource(ctx, w.Service, r.as, r.method, r.path, r.body, r.id); err != nil {
			return p, err
		}
	}
	told, err := httpapi.Decode[struct{ Notifications []struct{ ID string } }](w.Send(ctx, as, http.MethodGet,
		"/notifications", nil))
	if err != nil || len(told.Notifications) != 1 {
		return p, fmt.Errorf("%s got %d notifications: %w", name, len(told.Notifications), err)
	}
	for _, id := range []string{"read-notification.id", "dismiss-notification.id"} {
		p.AddPrivateValue(id, told.Notifications[0].ID)
	}
	return p, p.AddUserCredential(w.Issuer, w.Clock.Now, name, operation, as)
}
