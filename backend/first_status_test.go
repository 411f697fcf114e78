package backend

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// statuses records every status that is written.
type statuses struct {
	http.ResponseWriter
	all []int
}

func (s *statuses) WriteHeader(status int) { s.all = append(s.all, status) }

// TestOnlyTheFirstStatusIsWritten checks that net/http has nothing to warn about when a client disconnects during a
// response. Informational statuses may come before.
func TestOnlyTheFirstStatusIsWritten(t *testing.T) {
	t.Parallel()
	out := &statuses{ResponseWriter: httptest.NewRecorder()}
	w := &firstStatus{ResponseWriter: out}
	for _, status := range []int{http.StatusEarlyHints, http.StatusOK, 499} {
		w.WriteHeader(status)
	}
	if len(out.all) != 2 || out.all[1] != http.StatusOK || w.Unwrap() != out {
		t.Errorf("wrote %v", out.all)
	}
}
