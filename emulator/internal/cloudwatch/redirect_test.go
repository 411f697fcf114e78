package cloudwatch

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// TestWebhookRedirectsAreNotFollowed has a webhook redirect to another address, which only the command line may name.
func TestWebhookRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer elsewhere.Close()
	hook := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer hook.Close()
	s := newSender(Webhook{}, func(*notification, error) {}, func(any, []byte) {})
	defer s.cancel()
	res, err := s.client.Post(hook.URL, "application/json", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusTemporaryRedirect || reached.Load() {
		t.Errorf("%s, %v; the other address was reached: %v", res.Status, err, reached.Load())
	}
}
