package emulator_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// crashDir makes this test binary run an emulator on that folder, to be killed.
const crashDir = "TABLETOP_CRASH_DIR"

// crashes is how often the emulator is killed, unless TABLETOP_CRASHES is set.
const crashes = 3

func TestMain(m *testing.M) {
	if role := os.Getenv(livenessRole); role != "" {
		os.Exit(playLivenessRole(role))
	}
	if dir := os.Getenv(crashDir); dir != "" {
		e, err := emulator.Start(append(crashOptions(), console.Option(), emulator.WithData(dir),
			emulator.WithCosmosHTTPAddr("127.0.0.1:0"))...)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(e.DynamoDBURL(), e.CosmosHTTPURL())
		io.Copy(io.Discard, os.Stdin) // until the test has ended too
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestKilledEmulatorsLoseNothing kills an emulator during writes, repeatedly. After each kill every acknowledged write
// is there, no transaction is there in part, and the index, the replayed stream and the replayed Kinesis stream are
// equal to the table: no change is without its record, and no record without its change.
func TestKilledEmulatorsLoseNothing(t *testing.T) {
	t.Parallel()
	times := crashes
	if n, err := strconv.Atoi(os.Getenv("TABLETOP_CRASHES")); err == nil {
		times = n
	}
	dir := t.TempDir()
	workers := make([]*crashWorker, 8)
	for i := range workers {
		workers[i] = &crashWorker{name: fmt.Sprintf("w%d", i), acknowledged: map[string]string{},
			random: rand.New(rand.NewPCG(uint64(i), 1))}
	}
	for n := range times {
		p := startEmulatorProcess(t, dir)
		if n == 0 {
			makeCrashTable(t, p.client)
			p.streamToKinesis(t)
		}
		p.checkAll(t, workers)
		p.checkKinesis(t)
		killDuring(t, p, 400, workers, func(w *crashWorker) error {
			if w.random.IntN(8) == 0 {
				p.deliver()
			}
			return w.write(p.client)
		})
		if t.Failed() {
			t.Fatalf("after kill %d", n+1)
		}
	}
	p := startEmulatorProcess(t, dir)
	p.checkAll(t, workers)
	p.checkKinesis(t)
	p.kill()
}

// emulatorProcess is an emulator in a process of its own.
type emulatorProcess struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	client *dynamodb.Client
}

func startEmulatorProcess(t *testing.T, dir string, env ...string) *emulatorProcess {
	t.Helper()
	v, url, _ := startProcess(t, dir, env...)
	v.client = clientOf(url)
	return v
}

func clientOf(url string) *dynamodb.Client {
	return dynamodb.NewFromConfig(aws.Config{
		Region: "us-east-1", BaseEndpoint: aws.String(url),
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", ""),
		HTTPClient:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
	})
}

// startProcess starts an emulator and returns its DynamoDB and Cosmos DB endpoints.
func startProcess(t *testing.T, dir string, env ...string) (v *emulatorProcess, dynamo, cosmos string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), crashDir+"="+dir), env...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fscanln(bufio.NewReader(stdout), &dynamo, &cosmos); err != nil {
		t.Fatalf("the emulator did not start: %v", err)
	}
	return &emulatorProcess{cmd: cmd, stdin: stdin}, dynamo, cosmos
}

func (v *emulatorProcess) kill() {
	_ = v.cmd.Process.Kill()
	_ = v.cmd.Wait()
}

func makeCrashTable(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	_, err := c.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:   aws.String("crash"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}, {AttributeName: aws.String("v"),
				AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("by-v"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("v"), KeyType: types.KeyTypeHash}},
		}},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// killDuring runs workers that write, and kills the emulator after some of their writes, at most most.
func killDuring[W any](t *testing.T, v *emulatorProcess, most int64, workers []W, write func(W) error) {
	t.Helper()
	var written atomic.Int64
	enough := make(chan struct{})
	until := 1 + rand.Int64N(most)
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() {
			for write(w) == nil {
				if written.Add(1) == until {
					close(enough)
				}
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(await.Timeout):
		t.Error("the emulator did not take the writes")
	}
	v.kill()
	wg.Wait()
}

// crashWorker writes its own keys, one write after the other, and knows what must be there.
type crashWorker struct {
	name         string
	n            int
	random       *rand.Rand
	acknowledged map[string]string // key to value
	pending      map[string]string // the write without a response; empty values are deletions
}

// write puts one item, deletes one, or changes three in a transaction.
func (w *crashWorker) write(c *dynamodb.Client) error {
	w.n++
	w.pending = map[string]string{}
	value := strconv.Itoa(w.n)
	key := func() string { return w.name + "-" + strconv.Itoa(w.random.IntN(50)) }
	var err error
	switch w.random.IntN(4) {
	case 0:
		w.pending[key()] = ""
		err = w.apply(c)
	case 1:
		for len(w.pending) < 3 {
			w.pending[key()] = value
		}
		err = w.transact(c)
	default:
		w.pending[key()] = value
		err = w.apply(c)
	}
	if err == nil {
		w.acknowledged = merged(w.acknowledged, w.pending)
		w.pending = nil
	}
	return err
}

// once disables retries: a retry would reach the next emulator.
func once(o *dynamodb.Options) { o.RetryMaxAttempts = 1 }

// merged returns a state after writes.
func merged(state, writes map[string]string) map[string]string {
	next := maps.Clone(state)
	for k, v := range writes {
		if next[k] = v; v == "" {
			delete(next, k)
		}
	}
	return next
}

func (w *crashWorker) apply(c *dynamodb.Client) error {
	for k, v := range w.pending {
		if v == "" {
			_, err := c.DeleteItem(context.Background(), &dynamodb.DeleteItemInput{TableName: aws.String("crash"),
				Key: text("pk", k)}, once)
			return err
		}
		_, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("crash"),
			Item: text("pk", k, "v", v)}, once)
		return err
	}
	return nil
}

func (w *crashWorker) transact(c *dynamodb.Client) error {
	var in dynamodb.TransactWriteItemsInput
	for k, v := range w.pending {
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Put: &types.Put{TableName: aws.String("crash"),
			Item: text("pk", k, "v", v)}})
	}
	_, err := c.TransactWriteItems(context.Background(), &in, once)
	return err
}

// checkAll compares the items with what the workers know, and the index with its table.
func (v *emulatorProcess) checkAll(t *testing.T, workers []*crashWorker) {
	t.Helper()
	inTable, inIndex := v.read(t, nil), v.read(t, aws.String("by-v"))
	if !maps.Equal(inTable, inIndex) {
		t.Errorf("the table has %v, its index %v", inTable, inIndex)
	}
	if replayed := v.replay(t); !maps.Equal(inTable, replayed) {
		t.Errorf("the table has %v, its stream makes %v", inTable, replayed)
	}
	for _, w := range workers {
		there := map[string]string{}
		for k, value := range inTable {
			if strings.HasPrefix(k, w.name+"-") {
				there[k] = value
			}
		}
		after := merged(w.acknowledged, w.pending)
		if !maps.Equal(there, w.acknowledged) && !maps.Equal(there, after) {
			t.Errorf("%s finds %v, and wrote %v and perhaps %v", w.name, there, w.acknowledged, w.pending)
		}
		w.acknowledged, w.pending = there, nil
	}
}

func (v *emulatorProcess) read(t *testing.T, index *string) map[string]string {
	t.Helper()
	found := map[string]string{}
	pages := dynamodb.NewScanPaginator(v.client, &dynamodb.ScanInput{TableName: aws.String("crash"), IndexName: index})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range page.Items {
			found[it["pk"].(*types.AttributeValueMemberS).Value] = it["v"].(*types.AttributeValueMemberS).Value
		}
	}
	return found
}
