package webguard

import "net/http"

// SetPageHeaders sets the headers of an HTML page that has inline styles and nothing else: it runs no scripts, cannot
// be framed, and is not sniffed as another type.
func SetPageHeaders(h http.Header) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}
