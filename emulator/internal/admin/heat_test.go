package admin

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

func TestTheHeatIsShown(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	all := func() []heatmap.Table {
		return []heatmap.Table{{Resource: "orders"}, {Resource: "orders/by-state"}, {Resource: "orders2"}}
	}
	d.handler = New(Config{Guard: control.Guard{Addr: "127.0.0.1:8000"}, Topics: []Topic{Heat(all)}})
	want(t, d.do("GET", "/_tabletop/heat", ""), 200, `"resource":"orders2"`)
	want(t, d.do("GET", "/_tabletop/heat?table=orders2", ""), 200, `[{"resource":"orders2"`)
	want(t, d.do("GET", "/_tabletop/heat?table=orders", ""), 200,
		`"resource":"orders/by-state","partitions":null,"minutes":null}]`)
	want(t, d.do("GET", "/_tabletop/heat?table=none", ""), 200, `[]`)
}
