// Package web is the HTTP side that all systems share, over huma: how a route is added and guarded, how errors become
// the problem details of RFC 9457, how lists are paged, and where the OpenAPI document and its page are served.
package web
