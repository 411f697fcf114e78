package emulator

import (
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// panicAnswers returns a function that logs a panic outside of an operation and responds to the request with its
// service's internal error.
func panicAnswers(h http.Handler, logger *slog.Logger) inflight.PanicHandler {
	_, aws := h.(*front)
	return func(w http.ResponseWriter, r *http.Request, reason any, stack []byte) {
		if logger != nil {
			logger.Error("a request panicked", "method", r.Method, "path", r.URL.Path, "target", r.Header.Get("X-Amz-Target"),
				"panic", reason, "stack", string(stack))
		}
		if w == nil {
			return
		}
		kind, body := faultBody(aws, r)
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, body) // a client that does not read the response does not need it
	}
}

// faultBody returns the status 500 response of the service that a request is for.
func faultBody(aws bool, r *http.Request) (contentType, body string) {
	target := r.Header.Get("X-Amz-Target")
	switch {
	case strings.HasPrefix(r.URL.Path, control.Path):
		return "application/problem+json",
			`{"title":"Internal Server Error","status":500,"detail":"an internal error of the emulator: see its log"}`
	case !aws:
		return "application/json",
			`{"code":"InternalServerError","message":"Unknown server error occurred when processing this request."}`
	case strings.HasPrefix(target, "TrentService."):
		return "application/x-amz-json-1.1", `{"__type":"KMSInternalException","message":"An internal error occurred."}`
	case target != "":
		return "application/x-amz-json-1.0", `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"The request processing has failed because of an unknown error, exception or failure."}`
	}
	return "text/xml", "<ErrorResponse><Error><Type>Receiver</Type><Code>InternalFailure</Code></Error></ErrorResponse>\n"
}
