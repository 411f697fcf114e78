package cosmosdb_test

import (
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
)

// faultyTransport is a transport that loses the responses to the next requests, or refuses the requests.
type faultyTransport struct{ lose, refuse int }

var errConnectionLost = errors.New("the line is cut")

// RoundTrip forwards, refuses or loses a request.
func (l *faultyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.refuse > 0 {
		l.refuse--
		return &http.Response{StatusCode: 429, Request: r, Body: io.NopCloser(strings.NewReader("{}")), Header: http.Header{
			"X-Ms-Retry-After-Ms": {"1500"}, "X-Ms-Request-Charge": {"0.5"}}}, nil
	}
	out, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && l.lose > 0 {
		l.lose--
		_ = out.Body.Close()
		return nil, errConnectionLost
	}
	return out, err
}

type note struct {
	ID   string `json:"id"`
	User string `json:"user"`
	Text string `json:"text"`
}

// newContainer returns a container that adds up its pauses instead of waiting.
func newContainer(t *testing.T) (c *cosmosdb.Container, l *faultyTransport, paused *time.Duration) {
	t.Helper()
	l, paused = &faultyTransport{}, new(time.Duration)
	_, client := dbtest.Cosmos(t, l)
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.CreateContainer(t.Context(), azcosmos.ContainerProperties{
		ID: "notes", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/user"}, Version: 2},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	notes, err := db.NewContainer("notes")
	if err != nil {
		t.Fatal(err)
	}
	return cosmosdb.NewContainer(notes, func(ctx context.Context, d time.Duration) error {
		*paused += d
		return ctx.Err()
	}, slog.New(slog.DiscardHandler)), l, paused
}

// TestThrottledRequestsAreRetried checks that a throttled request is retried after the pause that the database asks
// for, and that its charge counts.
func TestThrottledRequestsAreRetried(t *testing.T) {
	t.Parallel()
	c, l, paused := newContainer(t)
	l.refuse = 3
	ctx, meter := cosmosdb.Begin(t.Context())
	if err := c.Create(ctx, "ana", note{"1", "ana", "a"}); err != nil || *paused != 4500*time.Millisecond ||
		meter.RU() < 6.5 {
		t.Errorf("%v after %s, %v RU", err, *paused, meter.RU())
	}
	l.refuse = 1000
	if err := c.Create(ctx, "ana", note{"2", "ana", "a"}); !errors.Is(err, cosmosdb.ErrBusy) {
		t.Errorf("%v", err)
	}
}

// TestLostResponses checks that a write whose response was lost is not applied twice and is not mistaken for another
// client's.
func TestLostResponses(t *testing.T) {
	t.Parallel()
	c, l, _ := newContainer(t)
	ctx := t.Context()
	l.lose = 1
	if err := c.Create(ctx, "ana", note{"1", "ana", "a"}); err != nil {
		t.Errorf("create: %v", err)
	}
	var got note
	etag, err := c.Read(ctx, "ana", "1", &got)
	if err != nil || got.Text != "a" {
		t.Fatal(got, err)
	}
	l.lose = 1
	newer, err := c.Replace(ctx, "ana", "1", note{"1", "ana", "b"}, etag)
	if err != nil || newer == etag {
		t.Errorf("replace: %v", err)
	}
	if _, err := c.Replace(ctx, "ana", "1", note{"1", "ana", "c"}, etag); !errors.Is(err, cosmosdb.ErrChanged) {
		t.Errorf("by an old ETag: %v", err)
	}
	if _, err := c.Replace(ctx, "ana", "2", note{"2", "ana", "c"}, newer); !errors.Is(err, cosmosdb.ErrNotFound) {
		t.Errorf("of none: %v", err)
	}
	if err := c.Create(ctx, "ana", note{"1", "ana", "d"}); !errors.Is(err, cosmosdb.ErrExists) {
		t.Errorf("again: %v", err)
	}
}

// TestBatchErrorNamesTheOperation checks that a failed batch names the operation that failed and changes nothing.
func TestBatchErrorNamesTheOperation(t *testing.T) {
	t.Parallel()
	c, _, _ := newContainer(t)
	old := azcore.ETag(`"00000000-0000-0000-0000-000000000000"`)
	if err := c.Create(t.Context(), "ana", note{"1", "ana", "a"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		kind error
		add  func(*azcosmos.TransactionalBatch)
	}{
		{cosmosdb.ErrExists, func(b *azcosmos.TransactionalBatch) { b.CreateItem([]byte(`{"id":"1","user":"ana"}`), nil) }},
		{cosmosdb.ErrNotFound, func(b *azcosmos.TransactionalBatch) { b.DeleteItem("2", nil) }},
		{cosmosdb.ErrChanged, func(b *azcosmos.TransactionalBatch) {
			b.ReplaceItem("1", []byte(`{"id":"1","user":"ana"}`), &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &old})
		}},
	} {
		err := c.Batch(t.Context(), "ana", func(b *azcosmos.TransactionalBatch) {
			b.CreateItem([]byte(`{"id":"new","user":"ana"}`), nil)
			want.add(b)
		})
		var unmet *cosmosdb.BatchError
		if !errors.As(err, &unmet) || unmet.Index != 1 || !errors.Is(err, want.kind) {
			t.Errorf("%v, want %v", err, want.kind)
		}
	}
	all, err := cosmosdb.QueryAll[note](t.Context(), c, cosmosdb.Query{PartitionKey: "ana", Text: "SELECT * FROM c"}, 0)
	if err != nil || len(all) != 1 || all[0].ID != "1" {
		t.Errorf("%v %v", all, err)
	}
	if _, _, err := cosmosdb.QueryPage[note](t.Context(), c, cosmosdb.Query{PartitionKey: "ana", Text: "SELECT * FROM c"},
		"made up"); !errors.Is(err, cosmosdb.ErrToken) {
		t.Errorf("a made-up token: %v", err)
	}
}

// TestUntrustedCertificate checks that an untrusted certificate is reported at once, with the remedy, and not retried:
// a retry cannot help.
func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	account := httptest.NewUnstartedServer(http.NotFoundHandler())
	account.Config.ErrorLog = log.New(io.Discard, "", 0)
	account.StartTLS()
	t.Cleanup(account.Close)
	key, err := azcosmos.NewKeyCredential("a2V5")
	if err != nil {
		t.Fatal(err)
	}
	client, err := azcosmos.NewClientWithKey(account.URL, key,
		&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}})
	if err != nil {
		t.Fatal(err)
	}
	notes, err := client.NewContainer("app", "notes")
	if err != nil {
		t.Fatal(err)
	}
	c := cosmosdb.NewContainer(notes, func(context.Context, time.Duration) error {
		t.Error("it was asked again")
		return nil
	}, slog.New(slog.DiscardHandler))
	if _, err := c.Read(t.Context(), "ana", "1", &note{}); !errors.Is(err, cosmosdb.ErrUntrusted) {
		t.Error(err)
	}
}
