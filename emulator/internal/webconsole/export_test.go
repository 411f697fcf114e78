package webconsole

import (
	"net/http/httptest"
	"testing"
	"time"
)

// timedRecorder counts how often the client gets more time.
type timedRecorder struct {
	*httptest.ResponseRecorder
	extended int
}

func (r *timedRecorder) SetWriteDeadline(time.Time) error {
	r.extended++
	return nil
}

// TestAnExportTakesAsLongAsItsFile writes a file in parts, as the end of a large CSV file is: the time limit is not
// that of the whole.
func TestAnExportTakesAsLongAsItsFile(t *testing.T) {
	t.Parallel()
	r := &timedRecorder{ResponseRecorder: httptest.NewRecorder()}
	w := &begunWriter{ResponseWriter: r, contentType: "text/csv"}
	for parts := 1; parts <= 3; parts++ {
		if _, err := w.Write([]byte("a,b\n")); err != nil || r.extended != parts {
			t.Errorf("after %d parts the client got time %d times, %v", parts, r.extended, err)
		}
	}
	if got := r.Header().Get("Content-Type"); got != "text/csv" || r.Body.String() != "a,b\na,b\na,b\n" {
		t.Errorf("%s %q", got, r.Body)
	}
}
