package targets

import (
	"context"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

func openEmbedded(context.Context) (*Target, error) {
	t, err := Embed()
	if err != nil {
		return nil, err
	}
	t.private = func(_ context.Context, start time.Time) (*Target, error) {
		return Embed(emulator.WithManualClock(start))
	}
	return t, nil
}

// Embed starts an emulator in this process, on a free port, with the options given. The caller closes it.
func Embed(opts ...emulator.Option) (*Target, error) {
	e, err := emulator.Start(opts...)
	if err != nil {
		return nil, fmt.Errorf("the emulator does not start: %w", err)
	}
	return &Target{
		Name:        string(Embedded),
		Detail:      "the emulator in this process",
		Config:      e.AWSConfig(),
		Endpoint:    e.DynamoDBURL(),
		TablePrefix: newPrefix(),
		Cannot:      map[Capability]string{IsolatedAccounts: "it is started with one account for all"},
		cosmos:      e.CosmosClient,
		advance:     e.Advance,
		Emulator:    e,
		closers:     []func() error{e.Close},
	}, nil
}
