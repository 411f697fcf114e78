package operation

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadProvisioned returns the throughput in a request that creates a database or a container; the zero value if it has
// none.
func (r *Request) ReadProvisioned() (throughput.Provisioned, *wire.Error) {
	manual, settings := r.Header("X-Ms-Offer-Throughput"), r.Header("X-Ms-Cosmos-Offer-Autopilot-Settings")
	var t throughput.Provisioned
	var err *wire.Error
	switch {
	case manual != "" && settings != "":
		return t, wire.InvalidInput("A request has either manual throughput or autoscale settings.")
	case manual != "":
		v, parseErr := doc.Parse([]byte(manual))
		if parseErr != nil {
			return t, wire.InvalidInput("The throughput %q is not a number.", manual)
		}
		t.Manual, err = throughput.ParseRate(v)
	case settings != "":
		v, parseErr := doc.Parse([]byte(settings))
		if parseErr != nil {
			return t, wire.InvalidInput("The autoscale settings are not JSON.")
		}
		t, err = throughput.ParseAutoscale(v)
	default:
		return t, nil
	}
	if err != nil {
		return t, err
	}
	return t, t.Check(0)
}
