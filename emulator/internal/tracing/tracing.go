// Package tracing reads which trace a request belongs to.
package tracing

// maxHeader is the length in bytes to which a header is cut. A traceparent has 55 bytes, an X-Amzn-Trace-Id about 150.
const maxHeader = 512

// Header returns the header that names the trace of a request, as the client sent it: traceparent (W3C Trace Context),
// or else X-Amzn-Trace-Id (AWS X-Ray). It is empty if the request has neither. The names of the headers must be
// canonical, as in net/http.
func Header(headers map[string][]string) string {
	for _, name := range []string{"Traceparent", "X-Amzn-Trace-Id"} {
		if values := headers[name]; len(values) > 0 && values[0] != "" {
			return values[0][:min(len(values[0]), maxHeader)]
		}
	}
	return ""
}
