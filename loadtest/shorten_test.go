package loadtest

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	at := 100.0
	p := profile.Profile{
		System: "telemetry",
		Stages: []profile.Stage{{Rate: 10, Duration: profile.Duration(10 * time.Second)},
			{Rate: 100, Duration: profile.Duration(30 * time.Second)}},
		Population: profile.Population{"devices": 1000, "readings": 5}, Mix: []profile.Part{{Only: 200}},
		Limits: []profile.Limit{{Metric: "readings_per_second", AtLeast: &at}, {Metric: "p99_ms", AtMost: &at}},
	}
	q := shorten(p, 4*time.Second, 0.1)
	if q.Duration() != 4*time.Second || q.Stages[1].Rate != 10 || q.Population["devices"] != 200 ||
		q.Population["readings"] != 5 || *q.Limits[0].AtLeast != 10 || *q.Limits[1].AtMost != 100 {
		t.Errorf("shortened to %+v", q)
	}
	if p.Stages[1].Rate != 100 || *p.Limits[0].AtLeast != 100 || p.Duration() != 40*time.Second {
		t.Error("the profile itself was changed")
	}
	p.Unscaled = "it is about one device"
	if q := shorten(p, 0, 0.1); q.Stages[1].Rate != 100 || q.Population["devices"] != 1000 {
		t.Errorf("scaled to %+v", q)
	}
}
