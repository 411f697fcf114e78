// Package cost prices what was used of DynamoDB, of its keys and of its alarms, by a dated file of prices. It computes
// exactly: prices and quantities are rational numbers, rounded only when they are shown.
//
// A Usage is what was used in a span of time; a price file's Bill of it has one line for each table and kind of usage,
// with the source of its price. prices.yaml has AWS's prices by region, documents.yaml what the documents of the
// backends assume and compute themselves.
package cost
