package awsapi

import "net/http"

// Header returns the first value of a header, or "" without it. The name must be in its canonical form: http.Header.Get
// checks that again for each header of each request.
func Header(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}
