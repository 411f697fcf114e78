// Package metrics keeps what an emulator measures of itself, under the names, dimensions and units that Amazon
// CloudWatch has for DynamoDB, and what its users put there.
//
// A [Registry] holds series; a [Series] is one metric with its dimensions, one point for each minute in which something
// was observed, in bounded memory: minutes without an observation take none, and what is old is kept by five minutes
// and then by hours. A [Gauge] is a setting, such as provisioned capacity: it keeps its changes only and is sampled
// when somebody asks. Nothing here has a timer.
//
// A [Recorder] turns DynamoDB's events into observations; [Registry.Prometheus] shows the same figures at /metrics.
package metrics
