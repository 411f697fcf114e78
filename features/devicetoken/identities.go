package devicetoken

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/devicetoken"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/cleanup"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) identities(sc *godog.ScenarioContext) {
	sc.Step(`^a store that enforces IAM policies, and the service with its documented policy$`, w.enforcePolicies)
	sc.Step(`^the (service|cleanup) may:$`, func(ctx context.Context, who string, rows *godog.Table) error {
		return w.each(ctx, who, rows, func(err error) bool { return err == nil })
	})
	sc.Step(`^the (service|cleanup) is refused with (\w+):$`,
		func(ctx context.Context, who, code string, rows *godog.Table) error {
			return w.each(ctx, who, rows, func(err error) bool {
				var api smithy.APIError
				return errors.As(err, &api) && api.ErrorCode() == code
			})
		})
	sc.Step(`^the cleanup job is run as the (service|cleanup)$`, w.cleanupJob)
	sc.Step(`^the documented cleanup is run as the (service|cleanup)$`, w.documentedCleanup)
}

// enforcePolicies starts a private emulator with the document's identities. The scenario's own requests are the
// administrator's.
func (w *world) enforcePolicies(ctx context.Context) error {
	return w.securedBy(ctx, schema.Identities(w.Prefix, ""))
}

// securedBy is like secured, with these identities.
func (w *world) securedBy(ctx context.Context, identities []byte) error {
	if err := w.Restart(emulator.WithIdentitiesFrom(bytes.NewReader(identities))); err != nil {
		return err
	}
	admin := w.signedBy(schema.UserAdmin)
	w.Client = dynamodb.NewFromConfig(admin)
	if err := tables.Create(ctx, w.Client, schema.Schema(w.Prefix, "").Tables); err != nil {
		return err
	}
	made, err := kms.NewFromConfig(admin).CreateKey(ctx, nil)
	if err != nil {
		return err
	}
	w.keyID = made.KeyMetadata.KeyId
	service := w.signedBy(schema.UserService)
	service.HTTPClient = &http.Client{Transport: w.Link}
	return w.start(service)
}

func (w *world) signedBy(user string) aws.Config { return w.Target.Emulator.AWSConfigFor(user) }

func (w *world) userOf(who string) string {
	return map[string]string{"service": schema.UserService, "cleanup": schema.UserCleanup}[who]
}

// each performs each action of a list as a user, and checks the result with good.
func (w *world) each(ctx context.Context, who string, rows *godog.Table, good func(error) bool) error {
	cfg := w.signedBy(w.userOf(who))
	cfg.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	all := actions(dynamodb.NewFromConfig(cfg), kms.NewFromConfig(cfg), w.Table(table), w.Table("another-table"), w.keyID)
	for _, row := range rows.Rows {
		name := row.Cells[0].Value
		do, known := all[name]
		if !known {
			return fmt.Errorf("unknown action %q", name)
		}
		if err := do(ctx); !good(err) {
			return fmt.Errorf("%s: %w", name, errors.Join(errors.New("it ended with"), err))
		}
	}
	return nil
}

// documentedCleanup performs the document's maintenance: a Scan with a filter, and batch deletions.
func (w *world) documentedCleanup(ctx context.Context, who string) error {
	client := dynamodb.NewFromConfig(w.signedBy(w.userOf(who)))
	out, err := client.Scan(ctx, &dynamodb.ScanInput{
		TableName: w.Table(table), FilterExpression: aws.String("isActive = :false AND updatedAt < :cutoff"),
		ProjectionExpression: aws.String("userId, deviceId"),
		ExpressionAttributeValues: steps.Item{
			":false": &types.AttributeValueMemberBOOL{}, ":cutoff": text(steps.Timestamp(w.Clock.Now().AddDate(0, 0, -30))),
		},
	})
	if w.Err = err; err != nil {
		return nil // the next step checks the store's error
	}
	var deletions []types.WriteRequest
	for _, key := range out.Items {
		deletions = append(deletions, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}})
	}
	_, w.Err = client.BatchWriteItem(ctx,
		&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{*w.Table(table): deletions}})
	return w.Err
}

// cleanupJob runs the cleanup job. The administrator has created the job's table.
func (w *world) cleanupJob(ctx context.Context, who string) error {
	if err := jobs.Ensure(ctx, w.Client, w.Prefix); err != nil {
		return err
	}
	client := dynamodb.NewFromConfig(w.signedBy(w.userOf(who)))
	runner := jobs.New(jobs.Config{Client: client, TablePrefix: w.Prefix, Now: w.Clock.Now, Wait: shortPause})
	w.cleaned.summary, w.cleaned.err = runner.Run(ctx, cleanup.Job(client, *w.Table(table), w.Clock.Now(), 2))
	return nil
}
