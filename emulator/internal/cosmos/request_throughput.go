package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// readProvisioned is what a request to create a database or a container wants; the zero throughput where it says nothing.
func (r *request) readProvisioned() (Provisioned, *Error) {
	manual, settings := r.header("X-Ms-Offer-Throughput"), r.header("X-Ms-Cosmos-Offer-Autopilot-Settings")
	var t Provisioned
	var err *Error
	switch {
	case manual != "" && settings != "":
		return t, invalidInput("A request has either manual throughput or autoscale settings.")
	case manual != "":
		v, problem := doc.Parse([]byte(manual))
		if problem != nil {
			return t, invalidInput("The throughput %q is not a number.", manual)
		}
		t.manual, err = units(v)
	case settings != "":
		v, problem := doc.Parse([]byte(settings))
		if problem != nil {
			return t, invalidInput("The autoscale settings are not JSON.")
		}
		t, err = autoscaleOf(v)
	default:
		return t, nil
	}
	if err != nil {
		return t, err
	}
	return t, t.check(0)
}
