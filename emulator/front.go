package emulator

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/autoscaling"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/kinesis"
	"github.com/tabletop-db/tabletop/emulator/internal/s3"
)

// front routes the requests of the AWS port to their services, by the headers that AWS's SDKs and tools send. Requests
// without such headers go to DynamoDB, which also refuses the requests of a service that is nil.
type front struct {
	dynamo     http.Handler // with DynamoDB Streams
	health     http.Handler // any other GET; nil: DynamoDB answers it
	kms        http.Handler
	sts        http.Handler
	cloudwatch http.Handler
	s3         http.Handler
	kinesis    http.Handler
	scaling    http.Handler // Application Auto Scaling
	console    control.Console
}

// ServeHTTP passes the request to its service.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if service := f.service(w, r); service != nil {
		service.ServeHTTP(w, r)
		return
	}
	f.dynamo.ServeHTTP(w, r)
}

// metricsPath is a path that is not AWS's, as are those under control.Path.
const metricsPath = "/metrics"

// service returns the handler of a request. DynamoDB's requests, the most frequent, are checked first.
func (f *front) service(w http.ResponseWriter, r *http.Request) http.Handler {
	target := awsapi.Header(r.Header, "X-Amz-Target")
	switch {
	case strings.HasPrefix(target, "DynamoDB"):
		return f.dynamo
	case strings.HasPrefix(target, "TrentService."):
		return f.kms
	case strings.HasPrefix(target, "GraniteServiceVersion20100801."), strings.HasPrefix(r.URL.Path,
		"/service/GraniteServiceVersion20100801/"):
		return f.cloudwatch
	case strings.HasPrefix(target, kinesis.TargetPrefix):
		return f.kinesis
	case strings.HasPrefix(target, autoscaling.TargetPrefix):
		return f.scaling
	case target != "" && otherService(r) != "":
		return http.HandlerFunc(refuseOther)
	case target != "":
		return f.dynamo
	case f.s3 != nil && s3.IsRequest(r):
		return f.s3
	case strings.HasPrefix(r.URL.Path, control.Path):
		return consoleHandler(f.console, r)
	case r.URL.Path == metricsPath && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		return f.console.Metrics
	case otherService(r) != "":
		return http.HandlerFunc(refuseOther)
	case f.console.Web != nil && isBrowserAtRoot(r):
		return toConsole
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return f.health
	case r.Method == http.MethodPost && strings.HasPrefix(awsapi.Header(r.Header, "Content-Type"),
		"application/x-www-form-urlencoded"):
		return f.queryService(w, r)
	}
	return f.dynamo
}

// maxForm is the size in bytes of the largest form: the limit of CloudWatch's requests before compression.
const maxForm = 1 << 20

// queryService returns the handler of a request of AWS's query protocol, where only the Version in the form identifies
// the service. It replaces the request's body, so that the service can read it again.
func (f *front) queryService(w http.ResponseWriter, r *http.Request) http.Handler {
	body, err := awsapi.ReadBody(r, nil, inflight.AccountOf(w), maxForm)
	if errors.Is(err, budget.ErrBusy) {
		return http.HandlerFunc(refuseForm)
	}
	if err != nil {
		return f.dynamo
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	form, err := url.ParseQuery(string(decompressed(r, body)))
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

// refuseForm throttles a request when there is no memory for its form, with the error that the services of the query
// protocol share. SDKs retry it.
func refuseForm(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/xml")
	w.Header().Set("Connection", "close") // the rest of the body is not read
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(
		w, "<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>\n")
}

// decompressed returns a form before the client compressed it, as SDKs compress metric data. It returns nil if the form
// cannot be decompressed.
func decompressed(r *http.Request, body []byte) []byte {
	if awsapi.Header(r.Header, "Content-Encoding") != "gzip" {
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
