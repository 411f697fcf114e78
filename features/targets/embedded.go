package targets

import (
	"context"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
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

// Embed starts an emulator in this process, on a free port, with these options. The caller closes it.
func Embed(opts ...emulator.Option) (*Target, error) {
	e, err := emulator.Start(append([]emulator.Option{console.Option()}, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("cannot start the emulator: %w", err)
	}
	return &Target{
		Name:        string(Embedded),
		Detail:      "the emulator in this process",
		Config:      e.AWSConfig(),
		Endpoint:    e.DynamoDBURL(),
		TablePrefix: newPrefix(),
		Cannot:      map[Capability]string{IsolatedAccounts: "the embedded emulator has one account"},
		cosmos:      func(o *azcosmos.ClientOptions) (*azcosmos.Client, error) { return cosmosclient.New(e, o) },
		account: func() (*CosmosAccount, error) {
			client, err := e.CosmosHTTPClient()
			return &CosmosAccount{e.CosmosURL(), e.CosmosPrimaryKey(), client}, err
		},
		advance:  e.Advance,
		Emulator: e,
		closers:  []func() error{e.Close},
	}, nil
}
