package devicetoken

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"
)

func (w *world) fields(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" registers a phone whose "([^"]*)" is (.*)$`, w.registersWith)
	sc.Step(`^the store loses its table$`, func(ctx context.Context) error {
		_, err := w.Client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: w.Table(table)})
		return err
	})
}

// registersWith registers a phone that is valid except for one field, whose value is JSON, or missing.
func (w *world) registersWith(ctx context.Context, user, field, value string) error {
	body := map[string]any{"deviceId": "anas-phone", "expoPushToken": "ExponentPushToken[anas]", "platform": "ios"}
	delete(body, field)
	if value != "missing" {
		text, err := w.Expand(value)
		if err != nil {
			return err
		}
		body[field] = json.RawMessage(text)
	}
	return w.SendAs(ctx, user, http.MethodPost, "/devices", body)
}
