package notification

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestRealThrottling enqueues and processes far more than 400 request units per second allow: the database throttles,
// the service retries, and nothing is lost (NT-L7).
func TestRealThrottling(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Throttling))
	began := w.db.Now()
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 40 {
				w.want(201, w.admin("POST", "/events", likeEvent(fmt.Sprint("user", worker), fmt.Sprint("p", i%12))))
			}
		})
	}
	all.Wait()
	did := w.workers(2)
	if total := did.Completed + did.RateLimited + did.Waiting; total != 160 || did.RateLimited != 4*20 {
		t.Errorf("%+v", did)
	}
	if elapsed := w.db.Now().Sub(began); elapsed < 3*time.Second {
		t.Errorf("it took %s, so that nothing was throttled", elapsed)
	}
}

// TestLaggingReplicas checks that with lagging replicas one of many duplicates is notified, the rate limit holds, three
// devices are active, and nothing of a deleted user remains.
func TestLaggingReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag))
	w.config.Rates = map[Category]Rate{Social: {Max: 5, Window: time.Hour}}
	var all sync.WaitGroup
	for i := range 12 {
		s := w.newService()
		all.Go(func() { w.admin("POST", "/events", with(likeEvent("ana", "p1"), "dedupeKey", "k")) })
		all.Go(func() { w.admin("POST", "/events", likeEvent("ana", fmt.Sprint("p", i))) })
		all.Go(func() {
			id := DeviceID(fmt.Sprint("phone", i))
			ctx, _ := cosmosdb.Begin(context.Background())
			if _, _, err := s.register(ctx, "ana", deviceRequest{DeviceID: id, PushToken: "t", Platform: FCM}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for range 5 {
		w.workers(3)
		w.advance(leaseDuration)
	}
	same := 0
	for _, n := range w.list() {
		if n.TargetID == "p1" {
			same++
		}
	}
	if n := len(w.list()); n != 5 || same > 2 || len(w.devices()) != 3 {
		t.Errorf("%d notifications, %d of p1, %d devices\n%s", n, same, len(w.devices()), w.log)
	}
	w.want(200, w.admin("DELETE", "/users/ana", nil))
	w.advance(time.Minute)
	w.wantNoDocuments("ana")
}
