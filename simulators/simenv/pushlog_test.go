package simenv_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// TestPushLogOfLongRunningGateway checks that a gateway that has discarded its oldest deliveries is read once, page by
// page, and that the log begins after the last delivery before it.
func TestPushLogOfLongRunningGateway(t *testing.T) {
	t.Parallel()
	last, requests := int64(103), 0
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
		page := []pushgateway.Delivery{}
		for n := max(after, 100) + 1; n <= last && len(page) < 2; n++ { // 1 to 100 were discarded
			page = append(page, pushgateway.Delivery{Number: n})
		}
		w.Header().Set("Content-Type", "application/json")
		if err != nil || json.NewEncoder(w).Encode(map[string]any{"deliveries": page}) != nil {
			t.Error(r.URL, err)
		}
	}))
	t.Cleanup(gateway.Close)
	log, err := new(simenv.Environment).PushLog(t.Context(), gateway.URL)
	if err != nil || requests != 3 {
		t.Fatalf("%d requests for three deliveries in pages of two, error %v", requests, err)
	}
	last++
	got, err := log.Delivered(t.Context())
	if err != nil || len(got) != 1 || got[0].Number != 104 {
		t.Errorf("delivered since the start: %+v, error %v", got, err)
	}
}
