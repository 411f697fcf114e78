// Package loadtest holds the backends, and a table itself, to the rates, sizes and costs that their documents promise.
//
// A Profile is a YAML file: the documented figure, stages of a rate, a mix of requests, a population to run against, and
// limits, each with the id of the catalogue that it decides. Run makes the population through the API, attacks with
// vegeta's library at exactly that rate whatever the answers (an open model), and returns a Report: latency percentiles,
// throughput, errors, capacity units when a Meter watches the backend's SDK client, what only its system has, and a Verdict
// for each limit. Package report renders reports as HTML and text.
//
// What differs between systems is behind the interface subject: who is there before, what is asked, what is measured beyond
// latency. Each system has files of its own, which begin with its name.
package loadtest
