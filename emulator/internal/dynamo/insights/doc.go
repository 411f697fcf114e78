// Package insights has the operations of CloudWatch Contributor Insights for DynamoDB, and the names of its rules. The
// keys that the rules report are counted by the observer of heat.
package insights
