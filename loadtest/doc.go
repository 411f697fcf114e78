// Package loadtest tests the backends, and a table itself, against the rates, sizes and costs that their documents
// state.
//
// Run creates the population of a profile through the API and attacks with Vegeta's library at exactly the profile's
// rate, however slow the responses are (an open model). It returns a report: latency percentiles, throughput, errors,
// capacity units if a meter watches the backend's SDK client, the figures that only this system has, and a verdict for
// each limit. Saturate searches for the rate at which a target breaks.
//
// This package is the engine. Package profile reads profiles, package traffic makes the requests of each system,
// package usage measures what they consume of the database, package verdict decides the limits, package result defines
// the report, and package report renders it.
package loadtest
