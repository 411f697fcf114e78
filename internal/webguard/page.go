package webguard

import "net/http"

// SetPageHeaders sets the headers of a page of HTML that has styles of its own and nothing else: no scripts run in it,
// no page frames it, and no browser takes it for something else.
func SetPageHeaders(h http.Header) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}
