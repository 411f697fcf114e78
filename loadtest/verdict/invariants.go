package verdict

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// AddInvariants adds the verdict on the invariants that were checked after a run, and those that are broken. It belongs
// to no entry of the catalogue; each broken invariant names its own.
func AddInvariants(r *result.Report, checked int, broken []invariants.Break) {
	v := result.Verdict{ID: "invariants", Metric: "invariants", Label: "Invariants that hold", Limit: "all",
		Measured: thousands.Sprintf("%d of %d", checked-len(broken), checked), State: result.Pass}
	if len(broken) > 0 {
		v.State = result.Fail
	}
	texts := make([]string, len(broken))
	for i, b := range broken {
		texts[i] = b.Short()
	}
	v.Remark = strings.Join(texts, "; ")
	r.Verdicts, r.Broken = append(r.Verdicts, v), broken
}
