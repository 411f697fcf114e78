package targets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
)

func openURL(ctx context.Context, endpoint string, o Options) (*Target, error) {
	cfg, err := urlConfig(ctx, endpoint, o)
	if err != nil {
		return nil, err
	}
	t := &Target{
		Name:        "url=" + endpoint,
		Detail:      endpoint,
		Config:      cfg,
		Endpoint:    endpoint,
		TablePrefix: newPrefix(),
		Cannot: map[Capability]string{
			MoveTime:         "the clock of an endpoint given by URL cannot be controlled",
			CosmosDB:         "a DynamoDB endpoint has no Cosmos DB",
			PrivateStore:     "all scenarios share an endpoint given by URL",
			Commands:         "an endpoint given by URL cannot be restarted or reconfigured",
			IsolatedAccounts: "an endpoint given by URL may not isolate accounts",
		},
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch err := checkResponds(ctx, t.DynamoDB()); {
	case isKeyRefusal(err):
		return nil, fmt.Errorf(
			"%s rejected the credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to an access key of a user (%w)",
			endpoint, err)
	case err != nil && !isRefusal(err, "AccessDeniedException"):
		if network, ok := errors.AsType[*net.OpError](err); ok {
			err = network
		}
		return nil, fmt.Errorf("cannot reach DynamoDB at %s: start it, or correct the URL (%w)", endpoint, err)
	}
	t.closers = append(t.closers, func() error { return dropTables(t) })
	return t, nil
}

// urlConfig returns a config for an endpoint, with the credentials and the region from the environment, as AWS's own
// tools use, or else made-up ones, which suit an emulator that does not authenticate. A profile comes before both.
func urlConfig(ctx context.Context, endpoint string, o Options) (aws.Config, error) {
	env, err := config.NewEnvConfig()
	if err != nil {
		return aws.Config{}, fmt.Errorf("cannot read the AWS environment variables: %w", err)
	}
	cfg := localConfig(endpoint)
	if o.Profile != "" {
		profile, err := profileConfig(ctx, o)
		if err != nil {
			return aws.Config{}, err
		}
		cfg.Credentials, cfg.Region = profile.Credentials, cmp.Or(profile.Region, cfg.Region)
		return cfg, nil
	}
	if env.Credentials.HasKeys() {
		cfg.Credentials = credentials.StaticCredentialsProvider{Value: env.Credentials}
	}
	cfg.Region = cmp.Or(o.Region, env.Region, cfg.Region)
	return cfg, nil
}

// profileConfig returns AWS's configuration with the profile and the region of the options, if they have some.
func profileConfig(ctx context.Context, o Options) (aws.Config, error) {
	var with []func(*config.LoadOptions) error
	if o.Profile != "" {
		with = append(with, config.WithSharedConfigProfile(o.Profile))
	}
	if o.Region != "" {
		with = append(with, config.WithRegion(o.Region))
	}
	cfg, err := config.LoadDefaultConfig(ctx, with...)
	if err != nil {
		return aws.Config{}, fmt.Errorf("cannot read the AWS configuration: check the shared config file and AWS_* variables "+
			"(%w)", err)
	}
	return cfg, nil
}

// isKeyRefusal reports whether the error says that an endpoint that verifies signatures does not know the access key,
// or rejects the signature.
func isKeyRefusal(err error) bool {
	return isRefusal(err, "UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException")
}

func isRefusal(err error, codes ...string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && slices.Contains(codes, api.ErrorCode())
}

// checkResponds sends the cheapest request that every implementation supports.
func checkResponds(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.ListTables(ctx, &dynamodb.ListTablesInput{Limit: aws.Int32(1)}, func(o *dynamodb.Options) {
		o.RetryMaxAttempts = 1
	})
	return err
}

// awaitResponse sends requests until the database responds, its process ends, or ctx is done.
func awaitResponse(ctx context.Context, c *dynamodb.Client, ended <-chan struct{}) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := checkResponds(ctx, c)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no response in time: %w", err)
		case <-ended:
			return fmt.Errorf("exited before it responded: %w", err)
		case <-tick.C:
		}
	}
}
