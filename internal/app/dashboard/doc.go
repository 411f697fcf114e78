// Package dashboard generates the Grafana dashboard of the backends and the emulator: the requests to the backends, the
// backends' requests to the databases, and what tables and containers consume. It is written as code, so that a panel
// and its metric change together. Check runs its queries against a Prometheus, to see that each has data.
package dashboard
