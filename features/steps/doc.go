// Package steps is a library of Gherkin steps about a DynamoDB store: its tables and items, the requests to it, and
// time. It has no knowledge of any system. The steps of a system build on its World.
package steps
