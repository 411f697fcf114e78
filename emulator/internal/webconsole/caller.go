package webconsole

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// caller makes requests to the services for a request to the console, as its user.
type caller struct {
	*console
	request *http.Request
}

// admit reports whether a request may call the services. If nobody has signed in who could, it responds with the
// problem.
func (c *console) admit(w http.ResponseWriter, r *http.Request) bool {
	_, err := c.key(r, anyKey)
	if err != nil {
		control.WriteProblem(w, http.StatusUnauthorized, err.Error())
	}
	return err == nil
}

// admitPost is admit for a path that has only POST.
func (c *console) admitPost(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodPost {
		refuseMethod(w, http.MethodPost)
		return false
	}
	return c.admit(w, r)
}

// capturedResponse is a response of a service to the console itself.
type capturedResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newCapturedResponse() *capturedResponse {
	return &capturedResponse{header: http.Header{}, status: http.StatusOK}
}

// Header implements http.ResponseWriter.
func (c *capturedResponse) Header() http.Header { return c.header }

// WriteHeader implements http.ResponseWriter.
func (c *capturedResponse) WriteHeader(status int) { c.status = status }

// Write implements http.ResponseWriter.
func (c *capturedResponse) Write(body []byte) (int, error) { return c.body.Write(body) }

// serve lets a service respond to a request. A service that ends the connection, because a fault or an error inside it
// says so, ends none here: the response is a bad gateway. The panic must not continue, since requests are also made by
// goroutines that no server watches.
func (c *capturedResponse) serve(service http.Handler, call *http.Request) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		if reason != http.ErrAbortHandler { //nolint:errorlint // a panic's value is not wrapped
			panic(reason)
		}
		c.header, c.status = http.Header{}, http.StatusBadGateway
		c.body.Reset()
		c.body.WriteString(`{"message":"the service closed the connection without a response"}`)
	}()
	service.ServeHTTP(c, call)
}

// serviceRefusal is the error of a request that a service, or the console itself, refused.
type serviceRefusal struct {
	status        int
	code, message string
}

// Error returns the message.
func (e *serviceRefusal) Error() string { return e.message }

// isCode reports whether an error is a refusal with one of these codes.
func isCode(err error, codes ...string) bool {
	var refused *serviceRefusal
	return errors.As(err, &refused) && slices.Contains(codes, refused.code)
}

// isThrottled reports whether an error is a refusal of a request that may be sent again later, by either cloud.
func isThrottled(err error) bool {
	return isCode(err, "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded", "429")
}

// dynamoDB runs an operation as the user who has signed in. Errors: *serviceRefusal.
func (c *caller) dynamoDB(ctx context.Context, operation string, in []byte, out any) error {
	call := serviceRequest(c.request.WithContext(ctx), &url.URL{Path: "/"})
	call.Method, call.Host, call.Body, call.ContentLength = http.MethodPost, internalHost,
		io.NopCloser(bytes.NewReader(in)), int64(len(in))
	call.Header.Set("Content-Type", "application/x-amz-json-1.0")
	call.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	response := newCapturedResponse()
	if c.sign(response, c.request, call, serviceName) {
		response.serve(c.AWS, call)
	}
	if response.status != http.StatusOK {
		return newServiceRefusal(response)
	}
	return json.Unmarshal(response.body.Bytes(), out)
}

func newServiceRefusal(response *capturedResponse) *serviceRefusal {
	var body struct {
		Type                   string `json:"__type"`
		Message, Title, Detail string
	}
	if err := json.Unmarshal(response.body.Bytes(), &body); err != nil {
		body.Message = fmt.Sprintf("the service responded with status %d", response.status)
	}
	code := body.Type[strings.LastIndexByte(body.Type, '#')+1:]
	return &serviceRefusal{response.status, code, cmp.Or(body.Message, body.Detail, body.Title, code)}
}

// describe returns a table. Errors: *serviceRefusal.
func (c *caller) describe(ctx context.Context, name string) (*datafile.Schema, error) {
	schema, _, err := c.describeStatus(ctx, name)
	return schema, err
}

func (c *caller) describeStatus(ctx context.Context, name string) (*datafile.Schema, string, error) {
	in, err := json.Marshal(map[string]string{"TableName": name})
	if err != nil {
		return nil, "", err
	}
	var out struct {
		Table struct {
			datafile.Schema
			TableStatus string
		}
	}
	err = c.dynamoDB(ctx, "DescribeTable", in, &out)
	return &out.Table.Schema, out.Table.TableStatus, err
}

// cosmos sends a request to Cosmos DB, which signs it itself.
func (c *caller) cosmos(ctx context.Context, method, path string, header map[string]string,
	body []byte) *capturedResponse {
	decoded, err := url.PathUnescape(path)
	if err != nil { // never: PathEscape made it
		decoded = path
	}
	call := serviceRequest(c.request.WithContext(ctx), &url.URL{Path: decoded, RawPath: path})
	call.Method, call.Body, call.ContentLength = method, io.NopCloser(bytes.NewReader(body)), int64(len(body))
	call.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		call.Header.Set(name, value)
	}
	response := newCapturedResponse()
	response.serve(c.Cosmos, call)
	return response
}

// newCosmosRefusal returns the error of a response. Cosmos DB writes more lines after the first, with ids of the
// request.
func newCosmosRefusal(response *capturedResponse) *serviceRefusal {
	var body struct{ Code, Message string }
	if err := json.Unmarshal(response.body.Bytes(), &body); err != nil {
		body.Message = fmt.Sprintf("Cosmos DB responded with status %d", response.status)
	}
	message, _, _ := strings.Cut(body.Message, "\r\n")
	return &serviceRefusal{response.status, body.Code, cmp.Or(message, body.Code, http.StatusText(response.status))}
}

// charge returns the request units of a response.
func (c *capturedResponse) charge() float64 {
	charge, _ := strconv.ParseFloat(c.field("x-ms-request-charge"), 64) // always a number
	return charge
}

// field returns a header of a response. Those of Cosmos DB are in lower case.
func (c *capturedResponse) field(name string) string {
	for n, values := range c.header {
		if strings.EqualFold(n, name) {
			return values[0]
		}
	}
	return ""
}
