package telemetryapi

import "github.com/tabletop-db/tabletop/simulators/sim"

// Problem is an answer that refuses a request: problem details by RFC 9457.
type Problem = sim.Problem

// Transient reports whether the same request may succeed later: no answer came, or the backend said so.
func Transient(err error) bool { return sim.Transient(err) }

// Refused reports whether the backend refused the credential.
func Refused(err error) bool { return sim.Refused(err) }
