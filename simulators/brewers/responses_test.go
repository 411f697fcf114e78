package brewers

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// fixedResponse is a transport to a backend that responds to every request with this body.
type fixedResponse string

func (f fixedResponse) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(string(f))), Request: r}, nil
}

// manyBatches is the number of batches in the plan of a test's brewer.
const manyBatches = 2_000

// brewerAt returns a brewer with the first batch of the plan.
func brewerAt(number int, response http.RoundTripper) *brewer {
	s := &simulation{cfg: Config{Brewers: 2}, clock: sim.NewScaledClock(1), ledger: newLedger(false)}
	caller := &sim.Caller{Client: &sim.Client{BaseURL: "http://backend", HTTP: &http.Client{Transport: response}},
		Retrier: &sim.Retrier{}}
	b := newBrewer(s, number, Plan{UserID: "anna", Batches: make([]Recipe, manyBatches)}, caller)
	b.batches[0] = &batch{id: "b1", want: object{"batchId": "b1"}}
	s.byNumber = map[int]*brewer{number: b}
	return b
}

// TestResponsesWithoutAResource checks that responses that lack the resource are reported, whatever they have instead.
func TestResponsesWithoutAResource(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"batchId":5,"reminderId":null,"batch":"b1","events":{}}`} {
		b := brewerAt(0, fixedResponse(body))
		for want, err := range map[string]error{
			"the response has no batchId: ":    b.startBatch(t.Context(), Action{Batch: 1}),
			"the response has no reminderId: ": b.setReminder(t.Context(), Action{}),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, want %s", body, err, want)
			}
		}
		if err := b.readTimeline(t.Context(), Action{}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		var got sim.Result
		b.sim.ledger.CopyTo(&got)
		if len(got.Faults) != 1 || !strings.HasPrefix(got.Faults[0], "lost: batch in a timeline b1") {
			t.Errorf("%s: %q", body, got.Faults)
		}
	}
}

// TestStrangersReadWhileABatchStarts checks that brewers may read a batch while its brewer starts another one. The race
// detector finds what this test may miss.
func TestStrangersReadWhileABatchStarts(t *testing.T) {
	t.Parallel()
	b := brewerAt(0, fixedResponse(`{"batchId":"b2"}`))
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() {
		for n := 1; n < manyBatches; n++ {
			if err := b.startBatch(t.Context(), Action{Batch: n}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 100_000 {
		if id := b.batchID(0); id != "b1" {
			t.Fatal(id)
		}
	}
}
