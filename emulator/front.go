package emulator

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// front is the one port of all services. A request goes to the service that its headers name, as AWS's SDKs and tools
// write them; everything else is DynamoDB's. A service that is nil does not answer: DynamoDB refuses what is meant for
// it.
type front struct {
	dynamo     http.Handler // with its streams
	health     http.Handler // GET of anything else; nil: it is DynamoDB's
	kms        http.Handler
	sts        http.Handler
	cloudwatch http.Handler
	admin      http.Handler // everything under /_tabletop/
	metrics    http.Handler // GET /metrics, for Prometheus
}

// ServeHTTP answers for the service that the request is for.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if service := f.service(w, r); service != nil {
		service.ServeHTTP(w, r)
		return
	}
	f.dynamo.ServeHTTP(w, r)
}

// The paths that are not AWS's.
const (
	adminPath   = "/_tabletop/"
	metricsPath = "/metrics"
)

// service finds the service of a request. DynamoDB's own requests, of which there are the most, are told first.
func (f *front) service(w http.ResponseWriter, r *http.Request) http.Handler {
	target := r.Header.Get("X-Amz-Target")
	switch {
	case strings.HasPrefix(target, "DynamoDB"):
		return f.dynamo
	case strings.HasPrefix(target, "TrentService."):
		return f.kms
	case strings.HasPrefix(target, "GraniteServiceVersion20100801."), strings.HasPrefix(r.URL.Path, "/service/GraniteServiceVersion20100801/"):
		return f.cloudwatch
	case target != "":
		return f.dynamo
	case strings.HasPrefix(r.URL.Path, adminPath):
		return f.admin
	case r.URL.Path == metricsPath && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		return f.metrics
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return f.health
	case r.Method == http.MethodPost && strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded"):
		return f.queryService(w, r)
	}
	return f.dynamo
}

// maxForm is the size in bytes of the largest form: that of CloudWatch's requests before compression.
const maxForm = 1 << 20

// queryService finds the service of a request of AWS's query protocol, which only the version in its form tells. The
// service reads the body anew.
func (f *front) queryService(w http.ResponseWriter, r *http.Request) http.Handler {
	body, err := awsapi.ReadBody(r.Context(), r.Body, inflight.Of(w), maxForm)
	if errors.Is(err, budget.ErrBusy) {
		return http.HandlerFunc(refuseForm)
	}
	if err != nil {
		return f.dynamo
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	form, err := url.ParseQuery(string(unpacked(r, body)))
	if err != nil {
		return f.dynamo
	}
	switch form.Get("Version") {
	case "2011-06-15":
		return f.sts
	case "2010-08-01":
		return f.cloudwatch
	}
	return f.dynamo
}

// refuseForm throttles a request whose form there is no memory for, in the words that the services of the query
// protocol share. SDKs try it again.
func refuseForm(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/xml")
	w.Header().Set("Connection", "close") // the rest of the body is not read
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, "<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>\n")
}

// unpacked is a form as it was before the client compressed it, as SDKs do with the data of metrics. What cannot be
// unpacked is nobody's form.
func unpacked(r *http.Request, body []byte) []byte {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return body
	}
	packed, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	form, err := io.ReadAll(io.LimitReader(packed, maxForm))
	if err != nil {
		return nil
	}
	return form
}
