package verdict

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestDocumentCosts checks that a month with as many requests as the document states costs what its units cost, and
// that both figures are reported.
func TestDocumentCosts(t *testing.T) {
	t.Parallel()
	r := &result.Report{
		Profile: profile.Profile{
			Mix: []profile.Part{{Request: "register", Monthly: 300_000}, {Request: "devices", Monthly: 3_000_000},
				{Request: "device"}},
			Limits: []profile.Limit{{ID: "PE-C1", Metric: "month_dollars"}, {ID: "PE-C2", Metric: "month_dollars"},
				{ID: "KF-C1", Metric: "p99_ms"}},
		},
		Kinds: []result.KindStats{{Request: "register", Metered: 10, WriteUnits: 20}, {Request: "devices", Metered: 4,
			ReadUnits: 2}},
		Stored: []result.Stored{{Items: 2000, Bytes: 800_000}},
	}
	list, err := DocumentCosts(r, 0.1)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d documents, %v", len(list), err)
	}
	// 600,000 writes at $1.25 per million, 1,500,000 reads at $0.25 per million, 8,000,000 bytes at $0.25 per GB of
	// 2^30 bytes.
	if c := list[0]; c.ID != "PE-C1" || c.Measured.Text(4) != "1.1269" || c.Today.Text(4) != "0.5644" || !c.Agrees ||
		len(c.Lines) != 3 {
		t.Errorf("%+v", c)
	}
	if c := list[1]; c.ID != "PE-C2" || c.Measured.Text(4) != "0.0015" || c.Computed.Text(4) != "0.0016" || c.Agrees {
		t.Errorf("%+v", c)
	}
	r.Documents = list
	if got, measured := monthlyCost(r, "PE-C2"); !measured || got > 0.0016 ||
		!strings.HasSuffix(monthlyCostRemark(r, "PE-C2"), "; more than 10% off the documented cost") {
		t.Errorf("%v %v %s", got, measured, monthlyCostRemark(r, "PE-C2"))
	}
	r.Kinds[1].Metered = 0
	if list, err := DocumentCosts(r, 1); err != nil || len(list) != 0 {
		t.Errorf("a month of requests without a meter costs %+v, %v", list, err)
	}
}
