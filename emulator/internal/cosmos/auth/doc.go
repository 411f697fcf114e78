// Package auth authenticates and authorizes requests: by a signature with the master key, by the resource token of a
// permission, or by a Microsoft Entra ID token.
package auth
