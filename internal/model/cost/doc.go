// Package cost prices the usage of DynamoDB, KMS keys and CloudWatch alarms with a dated price file. It computes
// exactly: prices and quantities are rational numbers, rounded only when they are shown.
//
// A Usage is the usage in a span of time. A price file's Bill of it has one line for each table and kind of usage, with
// the source of its price. prices.yaml has AWS's prices by region, documents.yaml what the backends' documents assume
// and compute themselves.
package cost
