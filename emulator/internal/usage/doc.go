// Package usage adds up the use of an emulator in the kinds that AWS bills, so that internal/model/cost can price it.
//
// Requests are counted when they are answered, by dynamo's events. What is billed by time, such as storage and
// provisioned capacity, is sampled whenever a table changes, every hour of the emulator's clock, and when somebody
// asks. Between two samples a size is assumed to change linearly.
package usage
