// Package faults decides which requests fail or wait, and how, by rules that a test or a person sets. It knows neither
// HTTP nor tables: a service describes each request as a [Subject] and does what the [Verdict] says.
//
// # Which requests
//
// A rule matches the requests that match all of its fields: operations, tables, identities, each a list of patterns in
// which * matches any text; the partition key, and the sort key, of one of the items that the request names. An empty
// field matches every request.
//
// # How often
//
// Of the matching requests while the rule's window is open, the first Skip pass; of the rest, every Every-th is
// selected; to each of these the rule applies with its probability; and after Times of them it has no more effect.
// Every rule has its own random stream, so that the same requests in the same order fail in the same way, whatever the
// other rules are.
//
// # Several rules
//
// Rules are applied in the order in which they were set. All that match take effect, up to the first that refuses the
// request; the rules after it do not see the request.
package faults
