package targets

import (
	"context"
	"errors"
	"fmt"
)

// errSpend is the error of a run that would cost money without consent.
var errSpend = errors.New("tables on AWS may cost money: confirm with --yes-spend")

func openAWS(ctx context.Context, o Options) (*Target, error) {
	if !o.SpendAllowed {
		return nil, errSpend
	}
	cfg, err := profileConfig(ctx, o)
	if err != nil {
		return nil, err
	}
	if cfg.Region == "" {
		return nil, errors.New("no AWS region is set: set AWS_REGION, for example AWS_REGION=eu-central-1")
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, fmt.Errorf("no AWS credentials were found: sign in or set AWS_PROFILE (%w)", err)
	}
	t := &Target{
		Name:        string(AWS),
		Detail:      "Amazon DynamoDB in " + cfg.Region,
		Config:      cfg,
		TablePrefix: newPrefix(),
		Cannot: map[Capability]string{
			MoveTime:         "the clock of AWS cannot be controlled",
			CosmosDB:         "AWS has no Cosmos DB",
			PrivateStore:     "all tables of a run share one account",
			Commands:         "faults and lag cannot be injected into AWS",
			IsolatedAccounts: "one set of credentials belongs to one account",
		},
	}
	t.closers = append(t.closers, func() error { return dropTables(t) })
	o.Logger.Info("tables will be created on AWS and removed at the end", "region", cfg.Region, "prefix", t.TablePrefix)
	return t, nil
}
