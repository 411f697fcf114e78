// Package identity authenticates and authorizes requests: signatures (Signature Version 4), users, roles, sessions and
// policies.
//
// Without identities every request is allowed, with any signature, as the account itself. Each service has a [Gate]: it
// calls Authenticate when it has read a request's body, and Authorize when it knows the action and the resource. Both
// return an [*Error], which each service converts to its own form.
package identity
