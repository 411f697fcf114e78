package devicetoken

import (
	"context"
	"net/http"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) races(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" registers "([^"]*)", which is deleted while it is being refreshed$`, w.registersDeleted)
}

// registersDeleted deletes the phone after the put that finds it and before the update of it.
func (w *world) registersDeleted(ctx context.Context, user, phone string) error {
	cfg := w.RecordedConfig()
	var once sync.Once
	cfg.HTTPClient = &http.Client{Transport: w.Link.WithHook("UpdateItem", func() (err error) {
		once.Do(func() {
			_, err = w.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
				TableName: w.Table(table), Key: steps.Item{"userId": text(user), "deviceId": text(phone)},
			})
		})
		return err
	})}
	if err := w.start(cfg); err != nil {
		return err
	}
	return w.registers(ctx, user, phone)
}
