package runner_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/steps"
)

// alternator returns the address of an emulator that refuses transactions, as Alternator does.
func alternator(t *testing.T) string {
	t.Helper()
	behind, err := url.Parse(emulator.Run(t).DynamoDBURL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("X-Amz-Target"), ".Transact") {
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"com.amazonaws.dynamodb.v20120810#UnknownOperationException",`+
				`"message":"Unsupported operation"}`)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestScenariosThatNeedALackingOperationAreNotApplicable runs a scenario that uses a transaction, one that fails for
// another reason, one that expects the refusal, and one that passes.
func TestScenariosThatNeedALackingOperationAreNotApplicable(t *testing.T) {
	t.Parallel()
	const feature = `Feature: lacks
  Scenario: transaction
    Given a transaction
  Scenario: other failure
    Given no table
  Scenario: refusal
    Given a transaction that is refused
  Scenario: pass
    Given a list of tables
`
	transaction := func(ctx context.Context, w *steps.World) error {
		_, err := w.Once.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{{Delete: &types.Delete{TableName: aws.String("none"),
				Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "1"}}}}}})
		return err
	}
	run, err := runner.Run(t.Context(), runner.Options{Target: "alternator=" + alternator(t)}, runner.Suite{
		Name: "lacks", Files: fstest.MapFS{"a.feature": {Data: []byte(feature)}},
		Steps: func(sc *godog.ScenarioContext, w *steps.World) {
			sc.Step(`^a transaction$`, func(ctx context.Context) error { return transaction(ctx, w) })
			sc.Step(`^a transaction that is refused$`, func(ctx context.Context) error {
				if transaction(ctx, w) == nil {
					return errors.New("it succeeded")
				}
				return nil
			})
			sc.Step(`^no table$`, func(ctx context.Context) error {
				_, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("none")})
				return err
			})
			sc.Step(`^a list of tables$`, func(ctx context.Context) error {
				_, err := w.Once.ListTables(ctx, nil)
				return err
			})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]report.Outcome{"transaction": report.NotApplicable, "other failure": report.Failed,
		"refusal": report.Passed, "pass": report.Passed}
	for _, s := range run.Scenarios {
		if s.Outcome != want[s.Name] || len(s.Trace) > 0 {
			t.Errorf("%s: %s (%s), %d requests in the report", s.Name, s.Outcome, s.Reason, len(s.Trace))
		}
		if s.Outcome == report.NotApplicable && s.Reason != "Alternator has no transactions" {
			t.Errorf("%q", s.Reason)
		}
	}
	if len(run.Scenarios) != len(want) {
		t.Errorf("%d scenarios, want %d", len(run.Scenarios), len(want))
	}
}
