package verdict

import (
	"strings"
	"testing"
)

// TestLabels checks that every metric has a name for reports, and that every name belongs to a metric.
func TestLabels(t *testing.T) {
	t.Parallel()
	all := metrics()
	for metric := range all {
		if label := Label(metric); label == metric || strings.Contains(label, "_") {
			t.Errorf("%s has the label %q", metric, label)
		}
	}
	for metric := range labels() {
		if _, known := all[metric]; !known {
			t.Errorf("%s is a label of no metric", metric)
		}
	}
	if got := Label("ru_set_preferences"); got != "Request units of set preferences" {
		t.Error(got)
	}
	if got := Label("ingest: read units"); got != "ingest: read units" {
		t.Error(got)
	}
}
