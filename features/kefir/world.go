package kefir

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	schema "github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

const (
	adminToken = "the administrator of the specs"
	table      = "kefir-app-dev-table" // as named in steps, without the scenario's prefix
)

// world is one scenario's service, brewers and phones.
type world struct {
	*steps.World
	httpapi.Users // the app's requests to the service

	gateway         *pushgateway.Gateway
	pushUnavailable atomic.Bool       // the push service is away
	batches         map[string]string // names of batches by id
	owners          map[string]string // owners of batches by name
	generated       schema.SeedCounts
	earlierKitchen  []steps.Item // items before the last kitchen was generated
	sizes           []int        // sizes of the pages of the last list
	listed          []string     // entries of the last list, by name
	read            map[string]float64
	creation        creation // the request that the app repeats
	export          [][]string

	waiting sync.Mutex // guards pauses
	pauses  []time.Duration

	migration migration
}

// Steps registers the steps of this system.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{
		World: base, Users: httpapi.Users{Service: httpapi.New(base, "/kefir")},
		batches: map[string]string{}, owners: map[string]string{}, read: map[string]float64{},
	}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target == nil { // the scenario does not apply to the target
			return ctx, nil
		}
		return ctx, w.open(ctx)
	})
	w.Service.Steps(sc)
	w.Requests(sc, httpapi.Callers{Credential: w.Credential, Operator: httpapi.Bearer(adminToken)})
	w.batchSteps(sc)
	w.lists(sc)
	w.eventSteps(sc)
	w.reminderSteps(sc)
	w.idempotencySteps(sc)
	w.settings(sc)
	w.exportSteps(sc)
	w.documented(sc)
	w.operationSteps(sc)
	w.credentials(sc)
	w.migrationSteps(sc)
	w.access(sc)
}

func (w *world) open(ctx context.Context) error {
	if err := tables.Create(ctx, w.Client, schema.Schema(w.Prefix).Tables); err != nil {
		return err
	}
	return w.start()
}

// start starts or restarts the service. Its pauses take no real time; they move only the scenario's clock.
func (w *world) start() error {
	server, err := backend.New(backend.Config{
		Systems: []string{"kefir"}, AWS: w.RecordedConfig(), TablePrefix: w.Prefix, AdminToken: adminToken, Pepper: "unused",
		Wait: w.pause, Now: w.Clock.Now, Logger: w.Logger(), ClientOptions: []func(*dynamodb.Options){w.Wire.Client},
	})
	if err != nil {
		return err
	}
	w.Issuer = server.Issuer()
	w.Start(server)
	return nil
}

func (w *world) pause(ctx context.Context, d time.Duration) error {
	w.waiting.Lock()
	w.pauses = append(w.pauses, d)
	w.waiting.Unlock()
	w.Clock.Advance(d)
	return ctx.Err()
}

// paused compares the pauses that the service has made since the scenario began.
func (w *world) paused(means string) error {
	w.waiting.Lock()
	defer w.waiting.Unlock()
	return steps.ComparePauses(w.pauses, means, time.Millisecond)
}

// numbers returns the numbers of a list in words, such as "2, 2 and 1".
func numbers(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r < '0' || r > '9' })
}

// interruptBefore calls do once, before the service's next request of this operation: that is, between its read and its
// write. failed returns an error if the service made no such request, or the error of do.
func (w *world) interruptBefore(operation string, do func() error) (failed func() error) {
	err := fmt.Errorf("the service sent no %s", operation)
	w.Wire.Before(func(c wire.Call) bool { return c.Operation == operation }, func() error {
		err = do()
		return nil
	})
	return func() error { return err }
}

// service returns a service beside the backend, such as a job has.
func (w *world) service() (*schema.Service, error) {
	return schema.New(schema.Config{
		Client: dynamodb.NewFromConfig(w.RecordedConfig(), w.Wire.Client), TablePrefix: w.Prefix, Now: w.Clock.Now,
		Logger: w.Logger(), Wait: w.pause,
	})
}

// indexMissesOnce makes GSI1 return no results once, as an index that lags would.
func (w *world) indexMissesOnce() {
	var done atomic.Bool
	w.Wire.AddSubstitute(func(operation string, input any) (any, error, bool) {
		in, is := input.(*dynamodb.QueryInput)
		if operation != "Query" || !is || aws.ToString(in.IndexName) != "GSI1" || done.Swap(true) {
			return nil, nil, false
		}
		return &dynamodb.QueryOutput{}, nil, true
	})
}

// lag moves the scenario to an emulator whose indexes lag, with its own table and service.
func (w *world) lag(ctx context.Context) error {
	if err := w.Restart(emulator.WithLikeCloud(emulator.Piece("lag"))); err != nil {
		return err
	}
	return w.open(ctx)
}

// batchPath returns the path of a batch that steps refer to by name.
func (w *world) batchPath(batch string) (string, error) {
	id, err := w.Fill("{" + batch + "}")
	return "/batches/" + id, err
}

// sendAbout is like SendAs, for a batch that steps refer to by name.
func (w *world) sendAbout(ctx context.Context, user, method, batch, rest string, body any) error {
	path, err := w.batchPath(batch)
	if err != nil {
		return err
	}
	return w.SendAs(ctx, user, method, path+rest, body)
}

// list reads all pages of a list in order, with limit entries each unless limit is empty. It keeps the entries by the
// name that the name function returns.
func (w *world) list(ctx context.Context, as httpapi.Credential, path, in, limit string,
	name func(entry map[string]any) string) error {
	w.Wire.Reset()
	w.sizes, w.listed = nil, nil
	join := "?"
	if strings.Contains(path, "?") {
		join = "&"
	}
	if limit != "" {
		path, join = path+join+"limit="+limit, "&"
	}
	const tooMany = 100
	for at := path; len(w.sizes) < tooMany; {
		w.Last = w.Send(ctx, as, http.MethodGet, at, nil)
		page, err := httpapi.Decode[map[string]any](w.Last)
		if err != nil {
			return nil // a later step checks the response
		}
		entries, _ := page[in].([]any)
		for _, entry := range entries {
			w.listed = append(w.listed, name(entry.(map[string]any)))
		}
		if len(entries) > 0 {
			w.sizes = append(w.sizes, len(entries))
		}
		next, more := page["nextCursor"].(string)
		if !more {
			return nil
		}
		at = path + join + "cursor=" + next
	}
	return fmt.Errorf("the list does not end after %d pages", tooMany)
}
