package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTraceKeepsExchanges sends requests in two steps: their bodies reach both sides, and no header is kept.
func TestTraceKeepsExchanges(t *testing.T) {
	t.Parallel()
	trace := NewTrace()
	h := trace.Wrap("dynamodb", Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write(append([]byte("got "), body...))
	})))
	for _, body := range []string{"first", strings.Repeat("x", maxTraced+1)} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://x/", strings.NewReader(body))
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.Query")
		r.Header.Set("Authorization", "secret")
		res, err := h.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(res.Body); string(got) != "got "+body {
			t.Errorf("%.20s, %v", got, err)
		}
		trace.NextStep()
	}
	kept, dropped := trace.Exchanges()
	if len(kept) != 2 || dropped != 0 {
		t.Fatalf("%+v", kept)
	}
	first := kept[0]
	if first.Step != -1 || first.Operation != "Query" || first.Status != http.StatusTeapot || first.Request != "first" ||
		first.Response != "got first" || first.Truncated {
		t.Errorf("%+v", first)
	}
	if second := kept[1]; second.Step != 0 || !second.Truncated || len(second.Request) != maxTraced {
		t.Errorf("step %d, %d bytes", second.Step, len(second.Request))
	}
}

// failing is a connection that fails.
type failing struct{ error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.error }

// TestTraceIsBounded sends requests that fail, more than a trace keeps.
func TestTraceIsBounded(t *testing.T) {
	t.Parallel()
	trace := NewTrace()
	h := trace.Wrap("api", failing{errors.New("closed")})
	for range maxExchanges + 2 {
		res, err := h.RoundTrip(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://x/a?b=c", nil))
		if err == nil {
			_ = res.Body.Close()
			t.Fatal("it succeeded")
		}
	}
	kept, dropped := trace.Exchanges()
	if len(kept) != maxExchanges || dropped != 2 || kept[0].Error != "closed" || kept[0].Operation != "GET /a?b=c" {
		t.Errorf("%d kept, %d dropped, %+v", len(kept), dropped, kept[0])
	}
}

// TestNoTrace checks that without a trace nothing is between the client and the service.
func TestNoTrace(t *testing.T) {
	t.Parallel()
	var none *Trace
	none.NextStep()
	if got := none.Wrap("api", http.DefaultTransport); got != http.DefaultTransport {
		t.Errorf("%T", got)
	}
	if kept, dropped := none.Exchanges(); kept != nil || dropped != 0 {
		t.Error(kept, dropped)
	}
}
