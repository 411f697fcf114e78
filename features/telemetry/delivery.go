package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

// delivery is the service's response to a delivery.
type delivery struct {
	Results []struct {
		BatchID string `json:"batch_id"`
		Status  string `json:"status"`
		Reason  string `json:"reason"`
	} `json:"results"`
	Stored    int `json:"stored"`
	Duplicate int `json:"duplicate"`
	Rejected  int `json:"rejected"`
}

// deliver sends readings in one request.
func (w *world) deliver(ctx context.Context, all []reading) error {
	return w.data(ctx, http.MethodPost, "/readings", body(all))
}

func body(all []reading) map[string]any {
	if all == nil {
		all = []reading{}
	}
	return map[string]any{"readings": all}
}

// deliverNamed sends one reading and remembers it by name.
func (w *world) deliverNamed(ctx context.Context, device, name string, at time.Time) error {
	d := w.device(device)
	r := d.reading(at)
	w.remember(name, r)
	d.sent = append(d.sent, r)
	return w.deliver(ctx, []reading{r})
}

// remember sets the values with which steps refer to a valid reading's batch, time, sort key and expiry.
func (w *world) remember(name string, r reading) {
	ms := r["timestamp_ms"].(int64)
	w.Set("batch of "+name, r.batch())
	w.Set("time of "+name, fmt.Sprintf("%d", ms))
	w.Set("key of "+name, fmt.Sprintf("%013d#%s", ms, r.batch()))
	for _, days := range []int{7, 90} {
		w.Set(fmt.Sprintf("%d days after %s", days, name), fmt.Sprint(ms/1000+int64(steps.DurationOf(days, "day").Seconds())))
	}
	w.Set("expiry of "+name, fmt.Sprint(ms/1000+int64(steps.DurationOf(90, "day").Seconds())))
	w.sent[name] = r
}

// total adds up the responses to many senders.
func total(all []httpapi.Response) (delivery, error) {
	var sum delivery
	for _, a := range all {
		got, err := httpapi.Decode[delivery](a)
		if err != nil {
			return sum, err
		}
		sum.Stored += got.Stored
		sum.Duplicate += got.Duplicate
		sum.Rejected += got.Rejected
	}
	return sum, nil
}
