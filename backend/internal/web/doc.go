// Package web is the HTTP layer that all systems share, over huma: it adds and guards routes, turns errors into problem
// details (RFC 9457), encodes the cursors of lists, and serves the OpenAPI document and its page.
package web
