package traffic

import (
	"testing"
	"time"
)

// TestAcknowledged checks that a lost write is not hidden by one that is stored twice, nor by two responses about the
// same write.
func TestAcknowledged(t *testing.T) {
	t.Parallel()
	made := acknowledged{}
	for _, id := range []string{"stored", "lost", "doubled", "merged", "merged"} {
		made.add(id)
	}
	got := made.compare(map[string]int{"stored": 1, "doubled": 2, "merged": 1, "before": 1, "stray": 1},
		map[string]bool{"before": true}, 0)
	if got.Acknowledged != 5 || got.Lost != 2 || got.Duplicated != 1 || *got.Unacknowledged != 1 {
		t.Errorf("%+v, %d unacknowledged", got, *got.Unacknowledged)
	}
	if got := made.compare(nil, nil, 1); got.Unacknowledged != nil {
		t.Error("a failed request may have stored something")
	}
}

// TestStaleRegistrations checks that a device's token must be that of a registration after which no other was sent.
func TestStaleRegistrations(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	all := []registered{{"first", at(0), at(1)}, {"second", at(2), at(5)}, {"third", at(3), at(4)}}
	for token, want := range map[string]bool{"first": true, "second": false, "third": false, "strange": true} {
		if got := isStale(token, all); got != want {
			t.Errorf("%s: %v", token, got)
		}
	}
}
