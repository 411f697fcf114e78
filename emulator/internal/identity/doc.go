// Package identity says who asks and what they may do: signatures (Signature Version 4), users, roles, sessions and
// policies.
//
// Without identities every request passes, whoever signed it, as the account's own. Each service on the port has a
// [Gate]: it calls Authenticate when it has read a request's body, and Authorize when it knows what is asked of which
// resource. Both answer with an [*Error], in no protocol's own form.
package identity
