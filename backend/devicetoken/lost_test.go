package devicetoken

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
)

// lostResponse is a transport that loses the response of the first request of an operation.
type lostResponse struct {
	operation string
	lost      atomic.Bool
}

func (l *lostResponse) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.Header.Get("X-Amz-Target"), "."+l.operation) || l.lost.Swap(true) {
		return response, err
	}
	_ = response.Body.Close()
	return nil, errors.New("the connection is cut")
}

// TestRegistrationWithALostResponse checks that a registration is the first one although the SDK had to repeat its put,
// and that one of a device that exists is not (PE-P1).
func TestRegistrationWithALostResponse(t *testing.T) {
	t.Parallel()
	link := &lostResponse{operation: "PutItem"}
	w := newWorld(t, func(c *Config) {
		c.Client = dynamodb.New(c.Client.Options(), func(o *dynamodb.Options) {
			o.Retryer, o.HTTPClient = dbtest.NewAttempts(2), &http.Client{Transport: link}
		})
	})
	for i, want := range []int{http.StatusCreated, http.StatusOK, http.StatusOK} {
		link.lost.Store(i == 1) // the third registration loses a response again
		if got := w.as("ana").call("POST", "/devices", phone("one")); got.status != want {
			t.Errorf("registration %d: %d %s", i, got.status, got.raw)
		}
		w.advance(time.Minute)
	}
	if got := w.service.stats.registered.Load(); got != 1 {
		t.Errorf("%d devices registered", got)
	}
}
