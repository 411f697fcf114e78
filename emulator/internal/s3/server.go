package s3

import (
	"encoding/xml"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Server serves a Store in the service's REST protocol, with buckets in the path or in the host name.
type Server struct {
	Store *Store
	Gate  identity.Gate // authenticates and authorizes requests
	Log   *slog.Logger
}

// IsRequest reports whether a request is for S3: its signature, in a header or the URL, names S3.
func IsRequest(r *http.Request) bool {
	credential, ok := accounts.Credential(r)
	return ok && strings.HasSuffix(credential, "/s3/aws4_request")
}

// call is one request in progress.
type call struct {
	*Server
	w           http.ResponseWriter
	r           *http.Request
	bucket, key string // empty: the request has none
	who         *identity.Principal
}

// ServeHTTP handles a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{Server: s, w: w, r: r}
	c.bucket, c.key = resourceOf(r)
	w.Header().Set("X-Amz-Request-Id", strings.ToUpper(newID()[:13]))
	w.Header().Set("X-Amz-Id-2", newID())
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler { //nolint:errorlint // a panic's value is not wrapped
			s.Log.Error("an operation panicked", "service", "s3", "panic", p, "stack", string(debug.Stack()))
			c.fail(errInternal)
		} else if p != nil {
			panic(p)
		}
	}()
	if err := c.run(); err != nil {
		c.fail(err)
	}
}

// resourceOf returns the bucket and the key that a request names.
func resourceOf(r *http.Request) (bucket, key string) {
	path := strings.TrimPrefix(r.URL.Path, "/")
	if bucket = virtualBucket(r.Host); bucket != "" {
		return bucket, path
	}
	bucket, key, _ = strings.Cut(path, "/")
	return bucket, key
}

// virtualBucket returns the bucket in a host name, such as BUCKET.localhost, BUCKET.s3.localhost or
// BUCKET.s3.us-east-1.amazonaws.com; empty if the host names none.
func virtualBucket(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ""
	}
	for _, mark := range []string{".s3.", ".s3-"} {
		if bucket, _, ok := strings.Cut(host, mark); ok {
			return bucket
		}
	}
	bucket, ok := strings.CutSuffix(host, ".localhost")
	if !ok || bucket == "s3" || strings.HasPrefix(bucket, "s3.") {
		return ""
	}
	return bucket
}

// run authenticates a request and runs its operation.
func (c *call) run() error {
	var err error
	if c.who, err = c.Gate.Authenticate(c.r, nil); err != nil {
		return c.refused(err)
	}
	op := c.operation()
	if op.run == nil {
		return op.err
	}
	if op.action != "" {
		if err := c.authorize(op.action); err != nil {
			return err
		}
	}
	return op.run(c)
}

func (c *call) authorize(action string) error {
	resource := "*"
	if c.bucket != "" {
		resource = "arn:aws:s3:::" + c.bucket
	}
	if c.key != "" {
		resource += "/" + c.key
	}
	err := c.Gate.Authorize(c.who, identity.Access{Action: "s3:" + action, Resource: resource})
	return c.refused(err)
}

// refused converts an error about credentials or permissions to an error of S3.
func (c *call) refused(err error) error {
	var refusal *identity.Error
	if !errors.As(err, &refusal) {
		return err
	}
	code, status := refusal.QueryCode()
	if code == "InvalidClientTokenId" {
		code = "InvalidAccessKeyId"
	}
	return &Error{status, code, refusal.Message}
}

// fail responds with an error. Nothing must have been written before.
func (c *call) fail(err error) {
	var e *Error
	if !errors.As(err, &e) {
		if c.r.Context().Err() == nil {
			c.Log.Error("an operation failed for a reason of the emulator's own", "service", "s3", "error", err)
		}
		e = errInternal
	}
	if e.Status == http.StatusNotModified || c.r.Method == http.MethodHead {
		c.w.WriteHeader(e.Status)
		return
	}
	c.w.Header().Set("Connection", "close") // the rest of the body is not read
	c.answer(e.Status, &struct {
		XMLName   xml.Name `xml:"Error"`
		Code      string
		Message   string
		Resource  string
		RequestID string `xml:"RequestId"`
	}{Code: e.Code, Message: e.Message, Resource: c.r.URL.Path, RequestID: c.w.Header().Get("X-Amz-Request-Id")})
}

// answer responds with a document.
func (c *call) answer(status int, document any) {
	text, err := xml.Marshal(document)
	if err != nil {
		c.Log.Error("an answer cannot be encoded", "service", "s3", "error", err)
	}
	c.w.Header().Set("Content-Type", "application/xml")
	c.w.WriteHeader(status)
	_, _ = c.w.Write(append([]byte(xml.Header), text...)) // the client may be gone
}

// namespace is the XML namespace of responses.
const namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

func quote(etag string) string { return `"` + etag + `"` }

// timestamp formats a time as in responses.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
