package jobs

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/tables"
)

// world is a jobs table and a clock that waiting advances.
type world struct {
	aws   aws.Config
	clock atomic.Int64 // epoch milliseconds
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{aws: dbtest.Config(t)}
	w.clock.Store(dbtest.Start().UnixMilli())
	if err := tables.Create(t.Context(), dynamodb.NewFromConfig(w.aws), Schema("test-").Tables); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()) }

func (w *world) wait(ctx context.Context, d time.Duration) error {
	w.clock.Add(d.Milliseconds())
	return ctx.Err()
}

// config returns the config of a process of its own; link may disturb its requests.
func (w *world) config(link http.RoundTripper) Config {
	client := dynamodb.NewFromConfig(w.aws, func(o *dynamodb.Options) {
		if o.Retryer = aws.NopRetryer(aws.NopRetryer{}); link != nil {
			o.HTTPClient = &http.Client{Transport: link}
		}
	})
	return Config{Client: client, TablePrefix: "test-", Now: w.now, Wait: w.wait}
}

// killer ends its process at one of its requests: before the request is sent, or when the response is lost.
type killer struct {
	at    int64
	after bool
	kill  context.CancelFunc
	calls atomic.Int64
}

var errKilled = errors.New("killed")

func (k *killer) RoundTrip(r *http.Request) (*http.Response, error) {
	n := k.calls.Add(1)
	if n > k.at || n == k.at && !k.after {
		k.kill()
		return nil, errKilled
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if n == k.at {
		if err == nil {
			_ = answer.Body.Close()
		}
		k.kill()
		return nil, errKilled
	}
	return answer, err
}

// countedTasks are numbered tasks, in segments and pages, that count how often each was done.
type countedTasks struct {
	segments, each, page int
	before               func() // called before each step

	mu   sync.Mutex
	done map[int]int
}

func newCountedTasks(segments, each, page int) *countedTasks {
	return &countedTasks{segments: segments, each: each, page: page, done: map[int]int{}, before: func() {}}
}

func (c *countedTasks) job(name string) Job {
	return Job{Name: name, Segments: c.segments, Parameters: map[string]string{"of": name}, Step: c.step}
}

func (c *countedTasks) step(ctx context.Context, at StepInput) (StepResult, error) {
	if err := ctx.Err(); err != nil {
		return StepResult{}, err
	}
	c.before()
	c.mu.Lock()
	defer c.mu.Unlock()
	from := int(ddb.Integer(at.After["next"]))
	to := min(from+c.page, c.each)
	for i := from; i < to && !at.DryRun; i++ {
		c.done[at.Segment*c.each+i]++
	}
	step := StepResult{Counts: map[string]int64{"done": int64(to - from)}}
	if to < c.each {
		step.Next = ddb.Item{"next": ddb.Number(to)}
	}
	return step, nil
}

// check verifies that everything was done, at most spare tasks more than once, and that all was counted once.
func (c *countedTasks) check(t errorReporter, s Summary, spare int) {
	t.Helper()
	all, twice := c.segments*c.each, 0
	for i := range all {
		if c.done[i] == 0 {
			t.Errorf("%s: %d was never done", s.Job, i)
		}
		twice += max(c.done[i]-1, 0)
	}
	if twice > spare {
		t.Errorf("%s: %d were done again", s.Job, twice)
	}
	if s.Counts["done"] != int64(all) || s.FinishedAt == "" || s.Run != 1 {
		t.Errorf("%s: the summary of %s is %+v", s.Job, strconv.Itoa(all), s)
	}
}

type errorReporter interface {
	Helper()
	Errorf(string, ...any)
}
