package devicetoken

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/wire"
)

func (w *world) deletions(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" deletes all phones$`, w.deletesAll)
	sc.Step(`^"([^"]*)" deletes all phones, while "([^"]*)" registers$`,
		func(ctx context.Context, user, phone string) error {
			var failed error
			w.Wire.Before(deletesAnItem, func() error { failed = w.registersAside(ctx, user, phone); return nil })
			return errors.Join(w.deletesAll(ctx, user), failed)
		})
	sc.Step(`^"([^"]*)" deletes all phones, while "([^"]*)" registers under another name before each deletion$`,
		w.deletesWhileRegistering)
	sc.Step(`^the deletion read no attribute of a phone except "([^"]*)"$`, w.readOnly)
}

func deletesAnItem(c wire.Call) bool { return c.Operation == "DeleteItem" }

func (w *world) deletesAll(ctx context.Context, user string) error {
	return w.SendAs(ctx, user, http.MethodDelete, "/devices", nil)
}

// registersAside registers a phone while another request of the scenario is under way.
func (w *world) registersAside(ctx context.Context, user, phone string) error {
	as, err := w.Credential(user)
	if err != nil {
		return err
	}
	return w.Send(ctx, as, http.MethodPost, "/devices", registration(phone, "ExponentPushToken["+phone+"]",
		"ios")).Succeeded()
}

// deletesWhileRegistering registers another phone before each of the deletions, at most a hundred times: a service that
// has not given up by then never will.
func (w *world) deletesWhileRegistering(ctx context.Context, user, phone string) error {
	const most = 100
	var failed []error
	n := 0
	w.Wire.AddInspector(func(operation string, _ any) {
		if operation == "DeleteItem" && n < most {
			n++
			failed = append(failed, w.registersAside(ctx, user, fmt.Sprintf("%s-%d", phone, n)))
		}
	})
	err := w.deletesAll(ctx, user)
	return errors.Join(append(failed, err)...)
}

// readOnly checks that every query of the table had this projection.
func (w *world) readOnly(attribute string) error {
	queries := 0
	for _, c := range w.Wire.Calls() {
		if c.Operation != "Query" {
			continue
		}
		if queries++; c.Projection != attribute {
			return fmt.Errorf("the projection is %q in %s", c.Projection, c)
		}
	}
	if queries == 0 {
		return errors.New("there was no query")
	}
	return nil
}
