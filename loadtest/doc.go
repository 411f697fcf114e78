// Package loadtest holds a backend to the rates that its documents promise.
//
// A Profile is a YAML file: the documented figure, stages of a rate, a mix of requests, a population to run against, and
// limits, each with the id of the catalogue that it decides. Run makes the population through the API, attacks with
// vegeta's library at exactly that rate whatever the answers (an open model), and returns a Report: latency percentiles,
// throughput, errors, capacity units when a Meter watches the backend's SDK client, the devices that write too much, the
// load on each API key, and a Verdict for each limit. Package report renders reports as HTML and text.
package loadtest
