package telemetryapi

import "github.com/tabletop-db/tabletop/simulators/sim"

// Problem is an error response: problem details (RFC 9457).
type Problem = sim.Problem

// Transient reports whether the same request may succeed later: there was no response, or its status says so.
func Transient(err error) bool { return sim.Transient(err) }

// Refused reports whether the backend refused the credential.
func Refused(err error) bool { return sim.Refused(err) }
