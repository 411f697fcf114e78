package scripts

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
)

func TestQueriesHaveTheTimeThatTheirScriptHasLeft(t *testing.T) {
	t.Parallel()
	p := &partitionItems{r: &operation.Run{Account: &operation.Account{State: new(engine.State)}}}
	own := p.r.QueryLimits().Time
	for left, want := range map[time.Duration]time.Duration{time.Second: time.Second, 2 * own: own} {
		if got := p.queryLimits(script.Feed{Time: left}).Time; got != want {
			t.Errorf("a query of a script with %v left has %v, not %v", left, got, want)
		}
	}
}
