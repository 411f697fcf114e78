package devicetoken

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/devicetoken"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

func (w *world) operations(sc *godog.ScenarioContext) {
	sc.Step(`^the table is created with its recovery and alarms$`, w.createWhole)
	sc.Step(`^the table is deleted$`, func(ctx context.Context) error {
		_, err := w.Client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: w.Table(table)})
		return err
	})
	sc.Step(`^"([^"]*)" tries to register (\d+) phones$`, func(ctx context.Context, user string, n int) error {
		return w.triesToRegister(ctx, user, n)
	})
	sc.Step(`^"([^"]*)" registers "([^"]*)" again (\d+) times$`,
		func(ctx context.Context, user, phone string, n int) error {
			return w.registersOften(ctx, user, n, func(int) string { return phone })
		})
	sc.Step(`^"([^"]*)" opens the app on "([^"]*)" (\d+) times$`,
		func(ctx context.Context, user, phone string, n int) error {
			for range n {
				if err := w.refreshes(ctx, user, phone); err != nil {
					return err
				}
			}
			return nil
		})
	sc.Step(`^a store that enforces IAM policies, and the service whose policy lacks (\w+)$`, w.withPolicyLacking)
	sc.Step(`^the service starts before its table is ready$`, w.startEarly)
	sc.Step(`^the store responded to the (\w+) with (\w+) because "([^"]*)"$`, w.storeResponded)
}

// createWhole gives the scenario an emulator whose alarms call a webhook, and creates the table from its description,
// with key, recovery and alarms.
func (w *world) createWhole(ctx context.Context) error {
	if err := w.RestartWithWebhook(); err != nil {
		return err
	}
	file, err := tablefile.Parse("tables.yaml", schema.Description())
	if err != nil {
		return err
	}
	file = file.WithPrefix(w.Prefix)
	for _, alarms := range [][]tablefile.Alarm{file.Alarms, file.Tables[0].Alarms} {
		for i := range alarms {
			alarms[i].Actions, alarms[i].OKActions = []string{steps.OnCall}, []string{steps.OnCall}
		}
	}
	target, err := tablefile.NewTarget(ctx, w.Target.Config)
	if err != nil {
		return err
	}
	plan, err := target.Compare(ctx, file, tablefile.Options{})
	if err != nil {
		return err
	}
	return errors.Join(plan.Do(ctx, target, nil), w.start(w.RecordedConfig()))
}

// registersOften registers phones and ignores the results.
func (w *world) registersOften(ctx context.Context, user string, n int, phone func(int) string) error {
	for i := range n {
		if err := w.registers(ctx, user, phone(i+1)); err != nil {
			return err
		}
	}
	return nil
}

// triesToRegister expects the service to refuse each registration, because the store does.
func (w *world) triesToRegister(ctx context.Context, user string, n int) error {
	for i := range n {
		err := w.registers(ctx, user, fmt.Sprintf("tried-%d", i+1))
		if err = errors.Join(err, w.Last.HasStatus(http.StatusServiceUnavailable)); err != nil {
			return err
		}
	}
	return nil
}

// withPolicyLacking is like secured, with one action removed from the service's policy.
func (w *world) withPolicyLacking(ctx context.Context, operation string) error {
	return w.securedBy(ctx, bytes.Replace(schema.Identities(w.Prefix, ""), []byte("dynamodb:"+operation+", "), nil, 1))
}

// startEarly starts the service on an emulator that has just started and is still creating the table.
func (w *world) startEarly(ctx context.Context) error {
	if _, err := w.Once.CreateTable(ctx, schema.Schema(w.Prefix, "").Tables[0].Create); err != nil {
		return err
	}
	return w.start(w.RecordedConfig())
}

// storeResponded checks the store's response to the service.
func (w *world) storeResponded(operation, code, because string) error {
	var said []error
	for _, c := range w.Wire.Calls() {
		said = append(said, c.Err)
		var api smithy.APIError
		if c.Operation == operation && errors.As(c.Err, &api) && api.ErrorCode() == code &&
			strings.Contains(strings.ToLower(api.ErrorMessage()), strings.ToLower(because)) {
			return nil
		}
	}
	return fmt.Errorf("it answered %v", said)
}
