package seats_test

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cucumber/godog"

	"example.com/seats"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/suite"
)

//go:embed *.feature tables.yaml
var files embed.FS

// requirements are those of the theatre. Scenarios are tagged with their ids.
var requirements = []report.Entry{
	{ID: "seats-1", Kind: "pattern",
		Says: "A guest holds a seat, pays it, and finds their seats through the index by-guest."},
	{ID: "seats-2", Kind: "rule", Says: "A seat has one guest, however many ask at once."},
	{ID: "seats-3", Kind: "rule", Says: "A seat that is held is free again after ten minutes."},
	{ID: "seats-4", Kind: "rule", Says: "A lost answer or a busy table costs nobody their seat."},
}

func TestSpecs(t *testing.T) {
	suite.Run(t, files, suite.Options{Name: "seats", Steps: theatre, Requirements: requirements, Reports: "reports"})
}

// theatre adds the steps about seats to the generic ones.
func theatre(sc *godog.ScenarioContext, w *steps.World) {
	store := func() *seats.Store {
		return &seats.Store{Client: w.SDK(), Table: *w.Table("seats"), Now: w.Clock.Now}
	}
	sc.Step(`^"(\w+)" holds the seat "(\w+)" of "([^"]*)"$`, func(ctx context.Context, guest, seat, show string) {
		w.Reply = steps.Reply{Err: store().Hold(ctx, show, seat, guest)}
	})
	sc.Step(`^"(\w+)" pays the seat "(\w+)" of "([^"]*)"$`, func(ctx context.Context, guest, seat, show string) error {
		return store().Pay(ctx, show, seat, guest)
	})
	sc.Step(`^(\d+) guests at once hold the seat "(\w+)" of "([^"]*)"$`,
		func(ctx context.Context, n int, seat, show string) {
			w.Race(ctx, n, func(ctx context.Context, guest int) error {
				return store().Hold(ctx, show, seat, fmt.Sprint("guest ", guest))
			})
		})
	sc.Step(`^"(\w+)" has the seats "([^"]*)"$`, func(ctx context.Context, guest, want string) error {
		got, err := store().Of(ctx, guest)
		if all := strings.Join(got, ", "); err == nil && all != want {
			err = fmt.Errorf("they have %s", all)
		}
		return err
	})
	sc.Step(`^it is theirs$`, func() error { return w.Err })
	sc.Step(`^it is taken$`, func() error {
		if !errors.Is(w.Err, seats.ErrTaken) {
			return fmt.Errorf("it is not: %v", w.Err)
		}
		return nil
	})
}
