// Package usage sums what is used of an emulator, in the kinds that AWS asks money for, so that internal/cost can price
// it.
//
// Requests are counted as they are answered, by dynamo's events. What is paid for by time, such as storage and
// provisioned capacity, is looked at whenever a table changes, every hour of the emulator's clock, and when somebody
// asks; between two looks a size is taken to have gone evenly from one to the other.
package usage
