// Package loadtest holds the backends, and a table itself, to the rates, sizes and costs that their documents promise.
//
// Run makes the population of a profile through the API, attacks with vegeta's library at exactly its rate whatever the
// answers (an open model), and returns a report: latency percentiles, throughput, errors, capacity units when a meter
// watches the backend's SDK client, what only its system has, and a verdict for each limit. Saturate looks for the rate
// at which a target breaks.
//
// This package is the engine. Profiles are those of package profile; package traffic makes the requests, one system as
// another; usage measures what they use of the database; verdict decides the limits; result is what came of it, which
// package report renders.
package loadtest
