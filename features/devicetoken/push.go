package devicetoken

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

func (w *world) pushes(sc *godog.ScenarioContext) {
	sc.Step(`^a push service$`, w.receivePushes)
	sc.Step(`^the operator pushes to "([^"]*)"$`, w.pushesTo)
	sc.Step(`^the push reached (?:no phone|"([^"]*)")$`, w.reached)
	sc.Step(`^the push reached (\d+) phones, each once$`, w.reachedEach)
	sc.Step(`^the app is removed from "([^"]*)"$`, func(phone string) error {
		if _, had := w.gateway.Uninstall(phone); !had {
			return errors.New("the phone does not have the app")
		}
		return nil
	})
	sc.Step(`^the push service limits its rate$`, func() error {
		return w.gateway.Fail(pushgateway.Fault{Service: pushgateway.Expo, Status: http.StatusTooManyRequests, Times: 100})
	})
	sc.Step(`^"([^"]*)" has a phone "([^"]*)" with the token "([^"]*)"$`,
		func(ctx context.Context, user, phone, token string) error {
			return w.storePhone(ctx, user, phone, token, steps.Item{"expiresAt": seconds(w.Clock.Now().Unix() + 1000)})
		})
	sc.Step(`^"([^"]*)" has a phone "([^"]*)" without an expiry$`, func(ctx context.Context, user, phone string) error {
		return w.storePhone(ctx, user, phone, "ExponentPushToken["+phone+"]", nil)
	})
	sc.Step(`^the diagnosis is:$`, w.diagnosisIs)
}

// receivePushes starts the push service, and restarts the backend with it.
func (w *world) receivePushes() error {
	w.gateway = pushgateway.New(pushgateway.Config{Now: w.Clock.Now})
	server := httptest.NewServer(w.interrupted())
	w.OnClose(func(context.Context) error { server.Close(); return nil })
	w.pushURL = server.URL
	return w.start(w.RecordedConfig())
}

func (w *world) pushesTo(ctx context.Context, user string) {
	w.delivered = len(w.gateway.Deliveries(0, 0))
	w.SendStep(ctx, httpapi.Bearer(adminToken), http.MethodPost, "/users/"+user+"/push", map[string]any{
		"title": "Your photo is ready", "body": "Tap to see it.", "data": map[string]string{"jobId": "42"},
	})
}

// reached compares the phones that received the last push.
func (w *world) reached(want string) error {
	var got []string
	for _, d := range w.gateway.Deliveries(0, 0)[w.delivered:] {
		got = append(got, d.Phone)
	}
	return sameNames(got, want)
}

// reachedEach checks that the last push reached n phones, and none of them twice.
func (w *world) reachedEach(n int) error {
	all := w.gateway.Deliveries(int64(w.delivered), 0)
	tokens := map[string]bool{}
	for _, d := range all {
		tokens[d.Token] = true
	}
	if len(all) != n || len(tokens) != n {
		return fmt.Errorf("%d were delivered, to %d tokens", len(all), len(tokens))
	}
	return nil
}

// storePhone stores an active phone as another program might have, with more attributes.
func (w *world) storePhone(ctx context.Context, user, phone, token string, more steps.Item) error {
	item := steps.Item{
		"userId": text(user), "deviceId": text(phone), "platform": text("ios"), "expoPushToken": text(token),
		"isActive":     &types.AttributeValueMemberBOOL{Value: true},
		"registeredAt": text(steps.Timestamp(w.Clock.Now())), "updatedAt": text(steps.Timestamp(w.Clock.Now())),
	}
	maps.Copy(item, more)
	_, err := w.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: item})
	return err
}

type diagnosis struct {
	Devices []struct {
		DeviceID string   `json:"deviceId"`
		Receives bool     `json:"receives"`
		Reasons  []string `json:"reasons"`
	} `json:"devices"`
}

// diagnosisIs compares phones and reasons, sorted by phone name.
func (w *world) diagnosisIs(rows *godog.Table) error {
	got, err := httpapi.Decode[diagnosis](w.Last)
	if err != nil {
		return err
	}
	if len(got.Devices) != len(rows.Rows) {
		return fmt.Errorf("it is %s", w.Last)
	}
	for i, row := range rows.Rows {
		d := got.Devices[i]
		reasons := strings.Join(d.Reasons, ", ")
		if d.Receives {
			reasons += "gets pushes"
		}
		if d.DeviceID != row.Cells[0].Value || reasons != row.Cells[1].Value {
			return fmt.Errorf("%s: %s", d.DeviceID, reasons)
		}
	}
	return nil
}
