// Package difference compares responses by their meaning: values that a service generates, such as times and ids, may
// differ, and sets and the items of a Scan may have another order.
package difference
