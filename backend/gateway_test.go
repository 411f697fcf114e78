package backend

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/backend/observe"
	"github.com/tabletop-db/tabletop/backend/push"
)

// TestObservedPushesUseTheProtocolOfTheirService checks that a backend whose pushes are measured sends those to APNs by
// HTTP/2, which the service requires, and those to FCM by HTTP/1.1.
func TestObservedPushesUseTheProtocolOfTheirService(t *testing.T) {
	t.Parallel()
	protocols := make(chan string, 1)
	gateway := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocols <- r.Proto
		_, _ = w.Write([]byte(`{"name":"projects/tabletop/messages/1"}`))
	}))
	gateway.Config.Protocols = new(http.Protocols)
	gateway.Config.Protocols.SetHTTP1(true)
	gateway.Config.Protocols.SetUnencryptedHTTP2(true)
	gateway.Start()
	t.Cleanup(gateway.Close)
	observer, err := observe.New(t.Context(), observe.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = observer.Close(context.Background()) })
	senders, err := gatewaySenders(Config{PushURL: gateway.URL, Observer: observer, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	got := map[notification.Platform]string{}
	for platform, sender := range senders {
		results, err := sender.Send(t.Context(), []push.Message{{To: "0123456789abcdef", Title: "Done"}})
		if err != nil || results[0].Err != nil {
			t.Fatalf("%s: %v, %v", platform, results, err)
		}
		got[platform] = <-protocols
	}
	want := map[notification.Platform]string{notification.APNs: "HTTP/2.0", notification.FCM: "HTTP/1.1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
