package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// timedRecorder records the write deadlines of a response. The zero time is none.
type timedRecorder struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

func (r *timedRecorder) SetWriteDeadline(at time.Time) error {
	r.deadlines = append(r.deadlines, at)
	return nil
}

// TestSlowOperations checks that the write deadline of a slow operation does not pass while its handler runs, and
// starts with the response.
func TestSlowOperations(t *testing.T) {
	t.Parallel()
	for _, badRequests := range []bool{false, true} {
		mux := http.NewServeMux()
		api := New(mux, Config{System: "sample", Title: "Sample", Version: "1.0.0", Tags: []string{"things"},
			BadRequests: badRequests})
		out := &timedRecorder{ResponseRecorder: httptest.NewRecorder()}
		op := Slow(Operation("work", http.MethodPost, "/sample/work", "Work", "Works."))
		Add(api, Open, op, func(context.Context, *struct{}) (*Reply[nested], error) {
			if len(out.deadlines) != 1 || !out.deadlines[0].IsZero() {
				t.Errorf("deadlines while the handler runs: %v", out.deadlines)
			}
			return NewReply(nested{"done"}, nil)
		})
		before := time.Now()
		mux.ServeHTTP(out, httptest.NewRequest(http.MethodPost, "/sample/work", nil))
		if out.Code != http.StatusOK || len(out.deadlines) != 2 || out.deadlines[1].Before(before.Add(receiveTimeout)) {
			t.Errorf("status %d, deadlines %v", out.Code, out.deadlines)
		}
	}
}
