package targets

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/config"
)

// errSpend is the error of a run that would cost money without consent.
var errSpend = errors.New("target aws creates tables that cost money: repeat with --yes-spend to agree")

func openAWS(ctx context.Context, o Options) (*Target, error) {
	if !o.SpendAllowed {
		return nil, errSpend
	}
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot read the AWS configuration: check the shared config file and AWS_* variables (%w)",
			err)
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
			MoveTime:         "time on AWS cannot be moved",
			CosmosDB:         "AWS has no Cosmos DB",
			PrivateStore:     "all of a run's tables live in one account",
			Commands:         "AWS cannot be commanded to fail, to forget or to be late",
			IsolatedAccounts: "one set of credentials is one account",
		},
	}
	t.closers = append(t.closers, func() error { return dropTables(t) })
	o.Logger.Info("tables will be created on AWS and removed at the end", "region", cfg.Region, "prefix", t.TablePrefix)
	return t, nil
}
