package emulator_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator"
)

// is reports whether an error is of an SDK type.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// refused are requests on the table errors that the service refuses, with the SDK's error types.
var refused = []struct {
	code string
	is   func(error) bool
	do   func(ctx context.Context, c *dynamodb.Client) error
}{
	{"ConditionalCheckFailedException", is[*types.ConditionalCheckFailedException],
		func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("errors"), Item: text("pk", "a"),
				ConditionExpression: aws.String("attribute_not_exists(pk)")})
			return err
		}},
	{"ResourceNotFoundException", is[*types.ResourceNotFoundException],
		func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("missing")})
			return err
		}},
	{"ResourceInUseException", is[*types.ResourceInUseException], func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.CreateTable(ctx, &dynamodb.CreateTableInput{
			TableName: aws.String("errors"), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
				AttributeType: types.ScalarAttributeTypeS}},
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		})
		return err
	}},
	{"LimitExceededException", is[*types.LimitExceededException], func(ctx context.Context, c *dynamodb.Client) error {
		drop := func(index string) types.GlobalSecondaryIndexUpdate {
			return types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &index}}
		}
		_, err := c.UpdateTable(ctx, &dynamodb.UpdateTableInput{
			TableName: aws.String("errors"), GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{drop("one"),
				drop("two")},
		})
		return err
	}},
	{"IdempotentParameterMismatchException", is[*types.IdempotentParameterMismatchException],
		func(ctx context.Context, c *dynamodb.Client) error {
			return errors.Join(transact(ctx, c, "token", "1"), transact(ctx, c, "token", "2"))
		}},
	{"TransactionCanceledException", is[*types.TransactionCanceledException],
		func(ctx context.Context, c *dynamodb.Client) error {
			get := types.TransactGetItem{Get: &types.Get{TableName: aws.String("errors"), Key: text("wrong", "key")}}
			_, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{get}})
			return err
		}},
	{"TableNotFoundException", is[*types.TableNotFoundException], func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: aws.String("nothing")})
		return err
	}},
	{"ValidationException", is[*smithy.GenericAPIError], func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("errors"), Key: text("wrong", "key")})
		return err
	}},
	{"GlobalTableNotFoundException", is[*types.GlobalTableNotFoundException],
		func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.DescribeGlobalTable(ctx, &dynamodb.DescribeGlobalTableInput{GlobalTableName: aws.String("errors")})
			return err
		}},
}

// transact puts an item in a transaction with a token.
func transact(ctx context.Context, c *dynamodb.Client, token, value string) error {
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: &token,
		TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: aws.String("errors"),
			Item: text("pk", "t", "v", value)}}},
	})
	return err
}

func TestErrorsHaveTheSDKsTypes(t *testing.T) {
	t.Parallel()
	cfg := emulator.Run(t).AWSConfig()
	cfg.Retryer = func() aws.Retryer { return aws.NopRetryer{} } // the SDK treats LimitExceededException as throttling
	c := dynamodb.NewFromConfig(cfg)
	makeTable(t, c, "errors")
	put(t, c, "errors", text("pk", "a", "v", "1"))
	for _, r := range refused {
		err := r.do(t.Context(), c)
		var api smithy.APIError
		if !r.is(err) || !errors.As(err, &api) || api.ErrorCode() != r.code || api.ErrorFault() == smithy.FaultServer {
			t.Errorf("%s: %v", r.code, err)
		}
	}
}

func TestFailedConditionReturnsTheItem(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), client(emulator.Run(t))
	makeTable(t, c, "errors")
	name, old := aws.String("errors"), text("pk", "a", "v", "1")
	put(t, c, "errors", old)
	_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: name, Key: text("pk", "a"), ConditionExpression: aws.String("attribute_not_exists(v)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || cmp.Diff(failed.Item, old, itemsAsWritten) != "" {
		t.Errorf("%v, %+v", err, failed)
	}
	_, err = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: name, Item: text("pk", "b")}},
		{ConditionCheck: &types.ConditionCheck{
			TableName: name, Key: text("pk", "a"), ConditionExpression: aws.String("attribute_not_exists(v)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}},
	}})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatal(err)
	}
	want := []types.CancellationReason{
		{Code: aws.String("None")},
		{Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed"), Item: old},
	}
	if diff := cmp.Diff(cancelled.CancellationReasons, want, itemsAsWritten); diff != "" {
		t.Error(diff)
	}
	if n := count(t, c, "errors"); n != 1 {
		t.Errorf("after a cancelled transaction there are %d items", n)
	}
}

// itemsAsWritten ignores the hidden fields of the SDK's structures.
var itemsAsWritten = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().String() == ".noSmithyDocumentSerde"
}, cmp.Ignore())

// flaky drops the first responses on their way back.
type flaky struct {
	failures atomic.Int32
	sent     atomic.Int32
}

func (f *flaky) RoundTrip(r *http.Request) (*http.Response, error) {
	f.sent.Add(1)
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && f.failures.Add(-1) >= 0 {
		resp.Body.Close()
		return nil, errors.New("connection reset by peer")
	}
	return resp, err
}

func TestSDKRetriesLostResponses(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	makeTable(t, client(e), "retried")
	line := new(flaky)
	line.failures.Store(2)
	cfg := e.AWSConfig()
	cfg.HTTPClient = &http.Client{Transport: line}
	cfg.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		})
	}
	c := dynamodb.NewFromConfig(cfg)
	_, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{ // the SDK adds a token
		TransactItems: []types.TransactWriteItem{{Update: &types.Update{
			TableName: aws.String("retried"), Key: text("pk", "a"), UpdateExpression: aws.String("ADD n :one"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("retried"), Key: text("pk", "a")})
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := got.Item["n"].(*types.AttributeValueMemberN); !ok || n.Value != "1" || line.sent.Load() != 4 {
		t.Errorf("sent %d times, it is %+v", line.sent.Load(), got.Item)
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	cfg := e.AWSConfig()
	cfg.Credentials = aws.AnonymousCredentials{}
	_, err := dynamodb.NewFromConfig(cfg).ListTables(t.Context(), &dynamodb.ListTablesInput{})
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != "MissingAuthenticationTokenException" {
		t.Errorf("without credentials: %v", err)
	}
	presigned := request(t, e, "ListTables", strings.NewReader("{}"), "Authorization", "", "X-Amz-Date", "")
	credentials, err := e.AWSConfig().Credentials.Retrieve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const hash = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" // of {}
	uri, _, err := v4.NewSigner().PresignHTTP(t.Context(), credentials, presigned, hash, "dynamodb",
		"us-east-1", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	again := request(t, e, "ListTables", strings.NewReader("{}"), "Authorization", "", "X-Amz-Date", "")
	if again.URL, err = again.URL.Parse(uri); err != nil {
		t.Fatal(err)
	}
	if a := send(t, again); a.status != http.StatusOK {
		t.Errorf("presigned: %d %s", a.status, a.body)
	}
}
