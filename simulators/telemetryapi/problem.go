package telemetryapi

import "github.com/tabletop-db/tabletop/simulators/sim"

// Problem is an error response: problem details (RFC 9457).
type Problem = sim.Problem

// IsTransient reports whether the same request may succeed later: there was no response, or its status says so.
func IsTransient(err error) bool { return sim.IsTransient(err) }

// IsUnauthorized reports whether the backend refused the credential.
func IsUnauthorized(err error) bool { return sim.IsUnauthorized(err) }
