package telemetry

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) idempotency(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" delivers "([^"]*)" again$`, func(ctx context.Context, _, r string) error {
		return w.deliver(ctx, []reading{w.sent[r]})
	})
	sc.Step(`^the service restarts$`, w.start)
	sc.Step(`^the service's next response to a delivery is lost$`, func(ctx context.Context) error {
		return w.loseAnswers(ctx, 1)
	})
	sc.Step(`^the service's next (\d+) responses to deliveries are lost$`, w.loseAnswers)
	sc.Step(`^the store's next response to a transaction is lost$`, w.loseTransaction)
	sc.Step(`^the store cancels the next transaction because of "([^"]*)"$`, w.cancelNext)
	sc.Step(`^the device gets no response$`, w.getsNoResponse)
	sc.Step(`^a response was lost$`, w.wasLost)
	sc.Step(`^(\d+) senders deliver the reading "([^"]*)" of "([^"]*)" at once$`, w.sendersDeliver)
	sc.Step(`^(\d+) senders deliver the same (\d+) readings of "([^"]*)" at once, each in another order$`,
		w.sendersShuffle)
	sc.Step(`^its latest reading is "([^"]*)"$`, w.latestIs)
	sc.Step(`^the documented transaction for "([^"]*)" is sent again$`, w.documentedAgain)
	sc.Step(`^100 readings with (one marker|a marker for each) are written in one transaction, as documented$`,
		w.documentedDelivery)
	sc.Step(`^it is reported neither as stored nor as a duplicate$`, w.notReported)
}

func isDelivery(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/readings") && r.Method == http.MethodPost
}

func (w *world) loseAnswers(ctx context.Context, n int) error {
	w.Transport.DropResponses(n, isDelivery)
	_, err := w.fleetKey(ctx)
	return err
}

func (w *world) loseTransaction() {
	w.Link.DropResponses(1, func(r *http.Request) bool {
		return strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems")
	})
}

// cancelNext makes the next transaction fail with these codes, once. It writes nothing.
func (w *world) cancelNext(codes string) {
	var done atomic.Bool
	w.Wire.AddSubstitute(func(operation string, _ any) (any, error, bool) {
		if operation != "TransactWriteItems" || done.Swap(true) {
			return nil, nil, false
		}
		err := &types.TransactionCanceledException{Message: aws.String("cancelled by the scenario")}
		for _, code := range strings.Split(codes, ", ") {
			err.CancellationReasons = append(err.CancellationReasons, types.CancellationReason{Code: &code})
		}
		return nil, err, true
	})
}

func (w *world) getsNoResponse() error { return w.Last.Lost() }

func (w *world) wasLost() error {
	if n := w.Link.PendingDrops(); n > 0 {
		return fmt.Errorf("%d response is still to be lost", n)
	}
	return nil
}

func (w *world) sendersDeliver(ctx context.Context, n int, name, device string) error {
	d := w.device(device)
	r := d.reading(w.Clock.Now())
	w.remember(name, r)
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	w.SendConcurrently(n, func(int) httpapi.Response {
		return w.Send(ctx, key, http.MethodPost, "/readings", body([]reading{r}))
	})
	return nil
}

func (w *world) sendersShuffle(ctx context.Context, n, count int, device string) error {
	d := w.device(device)
	var all []reading
	for i := range count {
		all = append(all, d.reading(w.Clock.Now().Add(-time.Duration(i)*time.Minute)))
	}
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	w.SendConcurrently(n, func(i int) httpapi.Response {
		return w.Send(ctx, key, http.MethodPost, "/readings", body(shuffled(all, uint64(i))))
	})
	return nil
}

// shuffled returns a copy in random order, which is the same for the same seed.
func shuffled(all []reading, seed uint64) []reading {
	out := make([]reading, len(all))
	for i, j := range rand.New(rand.NewPCG(seed, seed)).Perm(len(all)) {
		out[i] = all[j]
	}
	return out
}

func (w *world) latestIs(ctx context.Context, name string) error {
	if err := w.latest(ctx, w.current.name); err != nil {
		return err
	}
	got, err := httpapi.Decode[readingRecord](w.Last)
	if err == nil && got.BatchID != w.sent[name].batch() {
		err = fmt.Errorf("it is %s", w.Last)
	}
	return err
}

// notReported expects a server error, after which the device sends again.
func (w *world) notReported() error {
	return w.Last.HasStatus(http.StatusInternalServerError, http.StatusServiceUnavailable)
}
