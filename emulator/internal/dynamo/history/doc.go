// Package history has the operations that show earlier states of tables with point-in-time recovery: a table as it was
// at a moment, the versions of an item, and the difference of two moments. They are not DynamoDB's; the web console
// uses them. Package pointintime does the work.
package history
