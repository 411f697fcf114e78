package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestFailedDisk lets clients of both services write while the disk refuses the first write, in each possible way:
// every request ends, every service and health check reports the cause, and after a restart every acknowledged write is
// there.
func TestFailedDisk(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]func(op errorfs.Op) bool{
		"log": func(op errorfs.Op) bool { return strings.HasSuffix(op.Path, ".log") },
		"log sync": func(op errorfs.Op) bool {
			return (op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData) && strings.HasSuffix(op.Path, ".log")
		},
		"table": func(op errorfs.Op) bool { return strings.HasSuffix(op.Path, ".sst") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk, full := fullDisk(fails)
			dir := t.TempDir()
			e, err := emulator.Start(console.Option(), emulator.WithData(dir), emulator.WithDisk(disk))
			if err != nil {
				t.Fatal(err)
			}
			makeTable(t, client(e), "items")
			makeContainer(t, e, nil)
			writers := storageWriters(t, e)
			for i, w := range writers {
				if w.try(fmt.Sprintf("%d-first", i)); w.refusal != nil {
					t.Fatal(w.refusal)
				}
			}
			var writing sync.WaitGroup
			for i, w := range writers {
				writing.Go(func() { w.writeUntilRefused(fmt.Sprint(i), full) })
			}
			await.Return(t, "the writers", writing.Wait)
			checkRefused(t, e, writers)
			await.Return(t, "Close", func() { _ = e.Close() })
			full.Off()
			checkAnswered(t, dir, disk, writers)
		})
	}
}

// fullDisk returns a disk in memory that, once it is full, refuses the writes for which fails is true.
func fullDisk(fails func(op errorfs.Op) bool) (vfs.FS, *errorfs.Toggle) {
	full := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && fails(op) {
			return syscall.ENOSPC
		}
		return nil
	})}
	return errorfs.Wrap(vfs.NewMem(), full), full
}

// storageWriter writes to one service, and records what was acknowledged.
type storageWriter struct {
	write    func(ctx context.Context, id string) error
	read     func(ctx context.Context, id string) error // returns an error if it is not there
	statuses []string
	refusal  error
}

// storageWriters returns writers without retries: two for each service.
func storageWriters(t *testing.T, e *emulator.Emulator) []*storageWriter {
	t.Helper()
	var all []*storageWriter
	for range 2 {
		all = append(all, dynamoWriter(e), cosmosWriter(t, e))
	}
	return all
}

// payload is so large that a few of them fill the memtable.
var payload = strings.Repeat("x", 30_000)

func dynamoWriter(e *emulator.Emulator) *storageWriter {
	c := dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	return &storageWriter{
		write: func(ctx context.Context, id string) error {
			_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("items"),
				Item: text("pk", id, "payload", payload)})
			return err
		},
		read: func(ctx context.Context, id string) error {
			out, err := getItem(ctx, c, &dynamodb.GetItemInput{TableName: aws.String("items"), Key: text("pk", id)})
			if err == nil && out.Item == nil {
				err = errors.New("it is not there")
			}
			return err
		},
	}
}

// getItem retries if the client itself has closed its connection in the middle of the response. The SDK closes a
// request's body once the response begins; net/http, which still reads that body, then gets io.EOF from smithy-go's
// WriteTo, takes it for a failed write, and closes the connection. The server's response was complete.
func getItem(ctx context.Context, c *dynamodb.Client, in *dynamodb.GetItemInput) (out *dynamodb.GetItemOutput,
	err error) {
	for range 10 {
		if out, err = c.GetItem(ctx, in); !errors.Is(err, net.ErrClosed) {
			break
		}
	}
	return out, err
}

func cosmosWriter(t *testing.T, e *emulator.Emulator) *storageWriter {
	t.Helper()
	client, err := cosmosclient.New(e,
		&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.NewContainer("shop", "orders")
	if err != nil {
		t.Fatal(err)
	}
	key := azcosmos.NewPartitionKeyString("a")
	return &storageWriter{
		write: func(ctx context.Context, id string) error {
			_, err := c.CreateItem(ctx, key, fmt.Appendf(nil, `{"id":%q,"pk":"a","payload":%q}`, id, payload), nil)
			return err
		},
		read: func(ctx context.Context, id string) error {
			_, err := c.ReadItem(ctx, key, id, nil)
			return err
		},
	}
}

// writeUntilRefused writes until a write is refused; the disk is full from the tenth item on.
func (w *storageWriter) writeUntilRefused(name string, full *errorfs.Toggle) {
	for n := 0; w.refusal == nil; n++ {
		if n == 10 {
			full.On()
		}
		w.try(fmt.Sprintf("%s-%d", name, n))
	}
}

func (w *storageWriter) try(id string) {
	if w.refusal = w.write(context.Background(), id); w.refusal == nil {
		w.statuses = append(w.statuses, id)
	}
}

// checkRefused checks that each service and health check reports the same cause.
func checkRefused(t *testing.T, e *emulator.Emulator, writers []*storageWriter) {
	t.Helper()
	var cause *emulator.StorageError
	if !errors.As(e.Err(), &cause) || cause.Damaged || !errors.Is(e.Err(), syscall.ENOSPC) {
		t.Fatalf("Err is %v, want a StorageError of a full disk", e.Err())
	}
	for i, w := range writers {
		if !strings.Contains(w.refusal.Error(), "no space left on device") {
			t.Errorf("writer %d is refused without the cause: %v", i, w.refusal)
		}
		await.Return(t, "another write", func() {
			if err := w.write(t.Context(), "late"); !diskRefused(err) {
				t.Errorf("a write after the failure of writer %d returned %v", i, err)
			}
		})
		await.Return(t, "a read", func() {
			if err := w.read(t.Context(), w.statuses[0]); err != nil && !diskRefused(err) {
				t.Errorf("an answered write of writer %d cannot be read: %v", i, err)
			}
			if err := w.read(t.Context(), "late"); err == nil {
				t.Errorf("a refused write of writer %d can be read", i)
			}
		})
	}
	checkOthersRefused(t, e)
	checkSTS(t, e, writers[0].read(t.Context(), writers[0].statuses[0]))
	for _, path := range []string{"/", "/anything", "/_tabletop/info"} {
		status, body := fetched(t, e.DynamoDBURL()+path)
		if status != http.StatusServiceUnavailable || !strings.Contains(body, "no space left on device") {
			t.Errorf("GET %s answers %d %s, want 503 with the cause", path, status, body)
		}
	}
}

// diskRefused reports whether an error is the service's own error for a failed disk.
func diskRefused(err error) bool {
	var api smithy.APIError
	var cosmos *azcore.ResponseError
	switch {
	case errors.As(err, &api):
		return slices.Contains([]string{"InternalServerError", "KMSInternalException", "InternalServiceError",
			"InternalFailure"}, api.ErrorCode()) &&
			strings.Contains(api.ErrorMessage(), "no space left on device")
	case errors.As(err, &cosmos):
		return cosmos.StatusCode == http.StatusServiceUnavailable && strings.Contains(err.Error(), "no space left on device")
	}
	return false
}

// checkSTS checks that STS answers exactly as long as items can be read: a session that a restart does not find would
// not be valid then.
func checkSTS(t *testing.T, e *emulator.Emulator, unreadable error) {
	t.Helper()
	config := e.AWSConfig()
	config.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	_, err := sts.NewFromConfig(config).GetSessionToken(t.Context(), nil)
	if (err == nil) != (unreadable == nil) || err != nil && !diskRefused(err) {
		t.Errorf("reading an item returned %v, STS returned %v", unreadable, err)
	}
}

// checkOthersRefused writes to the other services.
func checkOthersRefused(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	config := e.AWSConfig()
	config.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	for name, write := range map[string]func() error{
		"KMS": func() error {
			_, err := kms.NewFromConfig(config).CreateKey(t.Context(), nil)
			return err
		},
		"CloudWatch": func() error {
			_, err := cloudwatch.NewFromConfig(config).PutMetricAlarm(t.Context(), &cloudwatch.PutMetricAlarmInput{
				AlarmName: aws.String("a"), Namespace: aws.String("AWS/DynamoDB"), MetricName: aws.String("SystemErrors"),
				Statistic: "Sum",
				Period:    aws.Int32(60), EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(1),
				ComparisonOperator: "GreaterThanThreshold",
			})
			return err
		},
	} {
		await.Return(t, name, func() {
			if err := write(); !diskRefused(err) {
				t.Errorf("%s answers %v, want its own failure with the cause", name, err)
			}
		})
	}
}

func fetched(t *testing.T, url string) (status int, body string) {
	t.Helper()
	client := &http.Client{Timeout: await.Timeout}
	res, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// checkAnswered starts again on the disk, which works again, and reads every acknowledged write.
func checkAnswered(t *testing.T, dir string, disk vfs.FS, written []*storageWriter) {
	t.Helper()
	e := emulator.Run(t, console.Option(), emulator.WithData(dir), emulator.WithDisk(disk))
	for i, reader := range storageWriters(t, e) {
		for _, id := range written[i].statuses {
			if err := reader.read(t.Context(), id); err != nil {
				t.Errorf("the answered write %s cannot be read after the restart: %v", id, err)
			}
		}
		if err := reader.read(t.Context(), "late"); err == nil {
			t.Error("a write that was refused after the failure is there after the restart")
		}
	}
	if status, body := fetched(t, e.DynamoDBURL()+"/_tabletop/info"); status != http.StatusOK {
		t.Errorf("after the restart info answers %d %s", status, body)
	}
}
