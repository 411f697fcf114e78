// Package faults decides which requests go wrong, and how, by rules that a test or a person sets. It knows no HTTP and
// no tables: a service describes each request as a [Subject] and does what the [Verdict] says.
//
// # Which requests
//
// A rule is about the requests that fit all of what it names: operations, tables, identities, each a list of patterns
// in which * stands for anything; the partition key, and the sort key, of one of the items that the request names. What
// a rule leaves out fits every request.
//
// # How often
//
// Of the requests that fit while the rule's window is open, the first Skip pass; of the rest every Every-th is meant;
// of these each goes wrong with the rule's probability; and after Times of them the rule is spent. Every rule has its
// dice of its own, so that the same requests in the same order go wrong in the same way whatever the other rules are.
//
// # Several rules
//
// Rules are asked in the order they were set. All that fit take effect, up to the first that refuses the request: those
// after it do not see it.
package faults
