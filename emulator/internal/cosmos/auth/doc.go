// Package auth decides who may do what: by a signature of the master key, by a resource token of somebody's permission,
// or by a token of Microsoft Entra ID.
package auth
