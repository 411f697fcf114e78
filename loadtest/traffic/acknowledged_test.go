package traffic

import (
	"testing"
	"time"
)

// TestAcknowledged checks that a lost thing is not hidden by one that is stored twice, nor by two responses about one
// thing.
func TestAcknowledged(t *testing.T) {
	t.Parallel()
	made := acknowledged{}
	for _, id := range []string{"kept", "lost", "doubled", "merged", "merged"} {
		made.add(id)
	}
	kept := made.compare(map[string]int{"kept": 1, "doubled": 2, "merged": 1, "before": 1, "stray": 1}, map[string]bool{"before": true}, 0)
	if kept.Acknowledged != 5 || kept.Lost != 2 || kept.Duplicated != 1 || *kept.Unacknowledged != 1 {
		t.Errorf("%+v, %d unacknowledged", kept, *kept.Unacknowledged)
	}
	if kept := made.compare(nil, nil, 1); kept.Unacknowledged != nil {
		t.Error("a request that failed may have made something")
	}
}

// TestSuperseded checks that a device's token must be that of a registration after which no other was sent.
func TestSuperseded(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	all := []registered{{"first", at(0), at(1)}, {"second", at(2), at(5)}, {"third", at(3), at(4)}}
	for token, want := range map[string]bool{"first": true, "second": false, "third": false, "strange": true} {
		if got := isStale(token, all); got != want {
			t.Errorf("%s: %v", token, got)
		}
	}
}
