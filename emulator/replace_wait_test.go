package emulator

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator/internal/admin"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestReplacingWaitsForRequestsAWhile restores and resets an emulator during a write that does not end: that fails
// after its timeout, or with its context, and changes nothing. The write and all other requests continue, and so does a
// later Restore.
func TestReplacingWaitsForRequestsAWhile(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := Run(t, WithManualClock(noon), WithConsole(admin.Console))
	empty, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	c := dynamodb.NewFromConfig(e.AWSConfig())
	makeExpiring(t, c, "sessions", noon.Add(time.Hour))
	if got, answer := command(t, e, "/snapshots", `{"id":"empty"}`); got != http.StatusCreated {
		t.Fatal(got, answer)
	}
	written := whileStuck(t, e, c, func() {
		e.replacing = 20 * time.Millisecond
		for name, replace := range map[string]func() error{"Reset": e.Reset, "Restore": func() error {
			return e.Restore(empty)
		}} {
			if err := replace(); !errors.Is(err, errStillRunning) {
				t.Errorf("%s beside a request that does not end: %v", name, err)
			}
		}
		for _, path := range []string{"/reset", "/snapshots/empty/restore"} {
			got, answer := command(t, e, path)
			if got != http.StatusServiceUnavailable || !strings.Contains(answer, "(1 of DynamoDB)") ||
				!strings.Contains(answer, "or try again later") {
				t.Errorf("%s beside a request that does not end: %d %s", path, got, answer)
			}
		}
		e.replacing = replacing
		left, leave := context.WithCancel(t.Context())
		leave()
		for name, err := range map[string]error{"ResetContext": e.ResetContext(left),
			"RestoreContext": e.RestoreContext(left, empty)} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s whose client left: %v", name, err)
			}
		}
	})
	if err := <-written; err != nil {
		t.Errorf("the write that others waited for: %v", err)
	}
	if n := countItems(t, c, "sessions"); n != 2 {
		t.Errorf("%d items are left, want both", n)
	}
	if err := e.Advance(2 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if n := countItems(t, c, "sessions"); n != 1 {
		t.Errorf("%d items are left when one has expired", n)
	}
	if err := e.Restore(empty); err != nil {
		t.Error(err)
	}
}

// command posts to the admin API and returns its response.
func command(t *testing.T, e *Emulator, path string, body ...string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.DynamoDBURL()+control.Path+path,
		strings.NewReader(strings.Join(append(body, ""), "")))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(text)
}

// whileStuck calls fn while a write waits for the store. The write's result can be received afterwards.
func whileStuck(t *testing.T, e *Emulator, c *dynamodb.Client, fn func()) (written chan error) {
	t.Helper()
	defer holdStore(t, e)()
	written = make(chan error, 1)
	go func() {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("sessions"),
			Item: map[string]types.AttributeValue{
				"id": &types.AttributeValueMemberS{Value: "late"}}})
		written <- err
	}()
	// A check that the machine delayed can see another request too; the write is seen by every check.
	for busy := 0; busy < 20; busy++ {
		if isIdle(t, e) {
			busy = -1
			runtime.Gosched()
		}
	}
	fn()
	return written
}

// holdStore blocks all updates until release is called. It runs an update in another goroutine, because the holder of
// the store must not wait for a service.
func holdStore(t *testing.T, e *Emulator) (release func()) {
	held, over, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- e.store.Update(store.Latches{}, func(*store.Tx) error {
			close(held)
			<-over
			return nil
		})
	}()
	select {
	case <-held:
	case err := <-done:
		t.Fatal(err)
	}
	return func() {
		close(over)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// isIdle reports whether DynamoDB has no request in progress, so that its state could be replaced at once.
func isIdle(t *testing.T, e *Emulator) bool {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	errIdle := errors.New("nothing is to be replaced")
	return errors.Is(e.dynamo.Replace(ctx, func() error { return errIdle }), errIdle)
}

// TestContainersThatCannotBeLoaded restores a snapshot with a container that cannot be read: Restore returns an error,
// Cosmos DB refuses requests instead of answering from deleted containers, DynamoDB has the snapshot's state, and Reset
// repairs Cosmos DB.
func TestContainersThatCannotBeLoaded(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	broken := Run(t, WithManualClock(noon), WithConsole(admin.Console))
	makeExpiring(t, dynamodb.NewFromConfig(broken.AWSConfig()), "restored", noon.Add(time.Hour))
	makeContainer(t, cosmosClient(t, broken), "unreadable")
	breakValue(t, broken, `"id":"unreadable"`)
	s, err := broken.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	e := Run(t, WithManualClock(noon), WithConsole(admin.Console))
	c, client := dynamodb.NewFromConfig(e.AWSConfig()), cosmosClient(t, e)
	makeContainer(t, client, "gone")
	if err := e.Restore(s); err == nil || !strings.Contains(err.Error(), "a definition in the store cannot be read") {
		t.Fatalf("restoring a container that cannot be read: %v", err)
	}
	if err := readContainer(t, client, "gone"); err == nil || !strings.Contains(err.Error(), "503 Service Unavailable") {
		t.Errorf("a container that is gone is answered by %v", err)
	}
	if n := countItems(t, c, "restored"); n != 1 {
		t.Errorf("%d items in a table of the snapshot, want 1", n)
	}
	if err := e.Advance(2 * time.Hour); err != nil {
		t.Error(err)
	}
	if n := countItems(t, c, "restored"); n != 0 {
		t.Errorf("%d items in the table an hour after they expired", n)
	}
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	makeContainer(t, client, "after")
	if err := readContainer(t, client, "after"); err != nil {
		t.Error(err)
	}
}

func makeContainer(t *testing.T, client *azcosmos.Client, name string) {
	t.Helper()
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: name,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}}}, nil); err != nil {
		t.Fatal(err)
	}
}

func readContainer(t *testing.T, client *azcosmos.Client, name string) error {
	t.Helper()
	container, err := client.NewContainer("db", name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = container.Read(t.Context(), nil)
	return err
}
