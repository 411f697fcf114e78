package backend

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// timedRecorder counts the changes of the write deadline of a response.
type timedRecorder struct {
	*httptest.ResponseRecorder
	changes int
}

func (r *timedRecorder) SetWriteDeadline(time.Time) error {
	r.changes++
	return nil
}

// TestPushesOutlastTheWriteTimeout checks that the operations that wait for a push service, which may take longer than
// the listener's write timeout, have a write deadline of their own.
func TestPushesOutlastTheWriteTimeout(t *testing.T) {
	t.Parallel()
	cfg := offline()
	cfg.PushURL = "http://127.0.0.1:1"
	key, err := azcosmos.NewKeyCredential("a2V5")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Cosmos, err = azcosmos.NewClientWithKey("http://127.0.0.1:1", key, nil); err != nil {
		t.Fatal(err)
	}
	server, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/devicetoken/users/ana/push": 2, "/notification/work": 2,
		"/notification/events": 0} {
		out := &timedRecorder{ResponseRecorder: httptest.NewRecorder()}
		in := httptest.NewRequest(http.MethodPost, path+"?unknown=1", strings.NewReader("{}"))
		in.Header.Set("Content-Type", "application/json")
		in.Header.Set("Authorization", "Bearer "+cfg.AdminToken)
		server.ServeHTTP(out, in)
		if out.Code/100 != 4 || out.Code == http.StatusNotFound || out.changes != want {
			t.Errorf("%s: status %d, %d changes of the write deadline, want %d: %s", path, out.Code, out.changes, want, out.Body)
		}
	}
}
