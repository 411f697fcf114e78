// Package metrics keeps the emulator's own metrics, under the names, dimensions and units that Amazon CloudWatch has
// for DynamoDB, and the custom metrics of its users.
//
// A [Registry] holds series; a [Series] is one metric with its dimensions, with one point for each minute that has
// observations, in bounded memory: minutes without observations take none, and older points are kept by five minutes
// and then by hour. A [Gauge] is a setting, such as provisioned capacity: it keeps only its changes and is sampled when
// it is read. Nothing here has a timer.
//
// A [Recorder] turns DynamoDB's events into observations; [Registry.Collector] exports the same figures at /metrics.
package metrics
