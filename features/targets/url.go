package targets

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

func openURL(ctx context.Context, endpoint string) (*Target, error) {
	t := &Target{
		Name:        "url=" + endpoint,
		Detail:      endpoint,
		Config:      localConfig(endpoint),
		Endpoint:    endpoint,
		TablePrefix: newPrefix(),
		Cannot: map[Capability]string{
			MoveTime:         "an endpoint given by its address keeps its own clock",
			PrivateStore:     "an endpoint given by its address is one store for all",
			Commands:         "an emulator behind an address is not started from here",
			IsolatedAccounts: "whether credentials separate accounts is not known of an endpoint given by its address",
		},
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := answers(ctx, t.DynamoDB()); err != nil {
		return nil, fmt.Errorf("nothing answers as DynamoDB at %s: start it, or correct the address (%w)", endpoint, err)
	}
	t.closers = append(t.closers, func() error { return dropTables(t) })
	return t, nil
}

// answers asks the cheapest question that every implementation knows.
func answers(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.ListTables(ctx, &dynamodb.ListTablesInput{Limit: aws.Int32(1)}, func(o *dynamodb.Options) {
		o.RetryMaxAttempts = 1
	})
	return err
}

// awaitAnswer asks until the database answers, the process behind it ends, or ctx does.
func awaitAnswer(ctx context.Context, c *dynamodb.Client, ended <-chan struct{}) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := answers(ctx, c)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no answer in time: %w", err)
		case <-ended:
			return fmt.Errorf("it ended before it answered: %w", err)
		case <-tick.C:
		}
	}
}
