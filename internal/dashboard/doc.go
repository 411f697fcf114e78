// Package dashboard is the dashboard that Grafana draws of a desk: what its backends answer, what they ask of the
// databases, and what its tables and containers consume. It is made here as code, so that a panel and the metric that
// it asks for change together; its queries can be asked of a Prometheus, to see that none of them is without an answer.
package dashboard
