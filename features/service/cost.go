package service

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

func (w *world) costs(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator that reports what requests cost in "([^"]*)"$`, w.startPriced)
	sc.Step(`^it costs \$([0-9.]+), for (\S+) writes? and (\S+) reads?$`, w.requestCosts)
	sc.Step(`^the run of "([^"]*)" costs \$([0-9.]+) for ([0-9.]+) \S+ of (.*)$`,
		func(ctx context.Context, table, amount, quantity, what string) error {
			return w.costsFor(ctx, false, w.Prefix+table, amount, quantity, what)
		})
	sc.Step(`^a month of "([^"]*)" costs \$([0-9.]+) for ([0-9.]+) \S+ of (.*)$`,
		func(ctx context.Context, table, amount, quantity, what string) error {
			return w.costsFor(ctx, true, w.Prefix+table, amount, quantity, what)
		})
	sc.Step(`^a month of the account costs \$([0-9.]+) for ([0-9.]+) \S+ of (.*)$`,
		func(ctx context.Context, amount, quantity, what string) error {
			return w.costsFor(ctx, true, "", amount, quantity, what)
		})
}

// costTransport keeps the cost header of the last response.
type costTransport struct {
	http.RoundTripper
	said *string
}

func (t costTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if err == nil {
		*t.said = answer.Header.Get(emulator.CostHeader)
	}
	return answer, err
}

func (w *world) startPriced(region string) error {
	if err := w.Restart(emulator.WithShowCost(region)); err != nil {
		return err
	}
	transport := costTransport{http.DefaultTransport, &w.said}
	w.Once = dynamodb.NewFromConfig(w.Target.Emulator.AWSConfig(), noRetries, func(o *dynamodb.Options) {
		o.HTTPClient = &http.Client{Transport: transport}
	})
	return nil
}

// requestCosts checks the cost header of the last response.
func (w *world) requestCosts(amount, writes, reads string) error {
	if want := fmt.Sprintf("usd=%s, reads=%s, writes=%s", amount, reads, writes); w.Err != nil || w.said != want {
		return fmt.Errorf("it says %q, %v", w.said, w.Err)
	}
	return nil
}

// costsFor checks one line of the bill.
func (w *world) costsFor(ctx context.Context, monthly bool, table, amount, quantity, what string) error {
	if err := w.command(ctx, "GET /_tabletop/cost?gross=true&monthly="+strconv.FormatBool(monthly), "", ""); err != nil {
		return err
	}
	var bill cost.Bill
	if err := json.Unmarshal([]byte(w.response.body), &bill); err != nil {
		return fmt.Errorf("%w: %s", err, w.response.body)
	}
	for _, l := range bill.Lines {
		if l.Table == table && l.What == what {
			if l.Amount.String() != amount || l.Quantity.String() != quantity {
				return fmt.Errorf("it costs $%s for %s", l.Amount, l.Quantity)
			}
			return nil
		}
	}
	return fmt.Errorf("the bill has no %s of %s: %s", what, table, w.response.body)
}
