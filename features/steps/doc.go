// Package steps is a library of Gherkin steps about a DynamoDB store: its tables and items, what it was asked for on
// the wire, and time. It knows no system; the steps of a system stand on its World.
package steps
