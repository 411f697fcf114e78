package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/wire"
)

// newClient returns a client of a store that responds to every request with an empty object, and counts the requests.
func newClient(t *testing.T) (*dynamodb.Client, *wire.Recorder, *wire.Transport, *int) {
	t.Helper()
	answered := 0
	store := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answered++
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		io.WriteString(w, "{}")
	})
	rec, link := wire.NewRecorder("run-"), &wire.Transport{Base: wire.Handler(store)}
	client := dynamodb.NewFromConfig(aws.Config{
		Region: "us-east-1", BaseEndpoint: aws.String("http://store"), HTTPClient: &http.Client{Transport: link},
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", ""),
	}, rec.Client, func(o *dynamodb.Options) { o.RetryMaxAttempts = 2 })
	return client, rec, link, &answered
}

func getItem(c *dynamodb.Client) error {
	_, err := c.GetItem(context.Background(), &dynamodb.GetItemInput{
		TableName: aws.String("run-devices"), ConsistentRead: aws.Bool(true),
		Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}},
	})
	return err
}

func TestRetriedCallIsRecordedOnce(t *testing.T) {
	t.Parallel()
	client, rec, link, answered := newClient(t)
	link.DropResponses(1, func(r *http.Request) bool {
		return strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetItem")
	})
	if err := getItem(client); err != nil {
		t.Fatal(err)
	}
	calls := rec.Calls()
	if len(calls) != 1 || calls[0].String() != `GetItem of "devices" where "id = 'a'", consistent` {
		t.Errorf("recorded %v", calls)
	}
	if *answered != 2 || link.PendingDrops() != 0 {
		t.Errorf("the store answered %d times, %d answers are still to be lost", *answered, link.PendingDrops())
	}
}

// TestBeforeRunsAheadOfARequest checks that a function passed to Before is called once, before the matching request,
// and that its own requests are not interrupted.
func TestBeforeRunsAheadOfARequest(t *testing.T) {
	t.Parallel()
	client, rec, _, answered := newClient(t)
	refused, before := errors.New("refused"), -1
	asks := func(operation string) func(wire.Call) bool {
		return func(c wire.Call) bool { return c.Operation == operation }
	}
	rec.Before(asks("PutItem"), func() error { t.Error("nothing was put"); return nil })
	rec.Before(asks("GetItem"), func() error { before = *answered; return getItem(client) })
	if err := getItem(client); err != nil || before != 0 || *answered != 2 || rec.PendingHooks() != 1 {
		t.Errorf("%v; the store had answered %d times, then %d; %d are ahead", err, before, *answered, rec.PendingHooks())
	}
	rec.Before(asks("GetItem"), func() error { return refused })
	if err := getItem(client); !errors.Is(err, refused) || *answered != 2 {
		t.Errorf("the client says %v, and the store answered %d times", err, *answered)
	}
	if err := getItem(client); err != nil || len(rec.Calls()) != 4 {
		t.Errorf("%v, recorded %v", err, rec.Calls())
	}
}

func TestSubstituteRespondsInsteadOfTheStore(t *testing.T) {
	t.Parallel()
	client, rec, _, answered := newClient(t)
	refused := errors.New("refused")
	rec.AddSubstitute(func(operation string, _ any) (any, error, bool) { return nil, refused, operation == "GetItem" })
	if err := getItem(client); !errors.Is(err, refused) {
		t.Errorf("the client says %v", err)
	}
	if calls := rec.Calls(); len(calls) != 1 || !errors.Is(calls[0].Err, refused) || *answered != 0 {
		t.Errorf("recorded %v, the store answered %d times", calls, *answered)
	}
	rec.Reset()
	if len(rec.Calls()) != 0 || rec.Count("GetItem", "") != 1 || rec.Count("GetItem", "other") != 0 {
		t.Errorf("Reset leaves %v, with %d calls counted", rec.Calls(), rec.Count("GetItem", ""))
	}
}
