package admin

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

func TestFaultsAreSetAndRemoved(t *testing.T) {
	t.Parallel()
	i := faults.New(clock.Manual(start), 1, func() func() { return func() {} })
	d := &testAPI{handler: New(Config{Guard: control.Guard{Addr: "127.0.0.1:8000"}, Topics: []Topic{Faults{i}}})}
	want(t, d.do("GET", "/_tabletop/faults", ""), 200, `{"faults":[]}`)
	want(t, d.do("POST", "/_tabletop/faults", `{"operations":["PutItem"],"do":"throttle","every":3}`), 201,
		`"name":"fault-1","operations":["PutItem"],"do":"throttle","every":3`)
	want(t, d.do("POST", "/_tabletop/faults", `{"name":"a b","do":"delay","latency":"20ms"}`), 201, `"latency":"20ms"`)
	for range 3 {
		i.Apply(&faults.Request{Operation: "PutItem"})
	}
	want(t, d.do("GET", "/_tabletop/faults", ""), 200, `"every":3,"matched":3,"hits":1,"waiting":0`)
	want(t, d.do("POST", "/_tabletop/faults", `{"name":"once","do":"throttle","operations":["Scan"],"times":1}`), 201, "once")
	i.Apply(&faults.Request{Operation: "Scan"})
	want(t, d.do("GET", "/_tabletop/faults", ""), 200, `"times":1,"matched":1,"hits":1,"ended":true`)
	want(t, d.do("POST", "/_tabletop/faults", `{"do":"melt"}`), 422, "body.do")
	want(t, d.do("POST", "/_tabletop/faults", `{"do":"throttle","ever":3}`), 422, "body.ever")
	want(t, d.do("POST", "/_tabletop/faults", `{"do":"delay"}`), 422, "latency is missing")
	want(t, d.do("POST", "/_tabletop/faults", `{"do":"delay","latency":"soon"}`), 422, "write a duration")
	want(t, d.do("DELETE", "/_tabletop/faults/a%20b", ""), 204, "")
	want(t, d.do("DELETE", "/_tabletop/faults/a%20b", ""), 404, "fault not found")
	want(t, d.do("DELETE", "/_tabletop/faults", ""), 204, "")
	want(t, d.do("GET", "/_tabletop/faults", ""), 200, `{"faults":[]}`)
}
