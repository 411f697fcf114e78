package webconsole

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// userAgent names the console in requests to the services.
const userAgent = control.ConsoleUserAgent

// streamOperations are the operations of DynamoDB Streams. All others are DynamoDB's.
var streamOperations = map[string]bool{"DescribeStream": true, "GetRecords": true, "GetShardIterator": true,
	"ListStreams": true}

// serveDynamoDB runs an operation of DynamoDB or DynamoDB Streams.
func (c *console) serveDynamoDB(w http.ResponseWriter, r *http.Request, operation string) {
	target := "DynamoDB_20120810."
	if streamOperations[operation] {
		target = "DynamoDBStreams_20120810."
	}
	c.serveAWS(w, r, serviceName, target, operation)
}

// serveCloudWatch runs an operation of CloudWatch.
func (c *console) serveCloudWatch(w http.ResponseWriter, r *http.Request, operation string) {
	c.serveAWS(w, r, "monitoring", "GraniteServiceVersion20100801.", operation)
}

// serveKMS runs an operation of AWS KMS.
func (c *console) serveKMS(w http.ResponseWriter, r *http.Request, operation string) {
	c.serveAWS(w, r, "kms", "TrentService.", operation)
}

// serveAWS runs an operation of a service as the user who has signed in. service is its name in signatures, and target
// the prefix of its operations. The body is the operation's request, and the response is the service's own.
func (c *console) serveAWS(w http.ResponseWriter, r *http.Request, service, target, operation string) {
	switch {
	case r.Method != http.MethodPost:
		refuseMethod(w, http.MethodPost)
		return
	case !isName(operation, maxOperation):
		control.WriteProblem(w, http.StatusNotFound, "the path must end with the name of an operation, such as PutItem")
		return
	}
	if call := awsRequest(r, target+operation); c.sign(w, r, call, service) {
		c.AWS.ServeHTTP(w, call)
	}
}

// sign signs a request to a service as the user who has signed in. The parameter region of r is the region to sign for,
// and accessKey, if access keys are isolated, the access key. If it cannot, it responds with the problem and returns
// false.
func (c *console) sign(w http.ResponseWriter, r, call *http.Request, service string) bool {
	region, parameters := c.region(), r.URL.Query()
	if parameters.Has("region") {
		region = parameters.Get("region")
	}
	chosen, isKey := c.chosenKey(parameters)
	switch {
	case !isRegion(region):
		control.WriteProblem(w, http.StatusBadRequest, "region must be the name of a region, such as us-east-1")
		return false
	case !isKey:
		control.WriteProblem(w, http.StatusBadRequest,
			"accessKey must be an access key of letters, digits and -_., and the emulator must be started with --isolate")
		return false
	}
	key, err := c.key(r, chosen)
	if err != nil {
		control.WriteProblem(w, http.StatusUnauthorized, err.Error())
		return false
	}
	key.Sign(call, service, region, time.Now())
	return true
}

// The longest names, in bytes. DynamoDB's longest name of an operation has 36.
const (
	maxOperation = 64
	maxRegion    = 32
)

// lettersAndDigits are the characters of names.
const lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// isName reports whether a name has at least one byte and at most limit, all letters and digits.
func isName(name string, limit int) bool {
	return name != "" && len(name) <= limit && strings.Trim(name, lettersAndDigits) == ""
}

// awsRequest returns the request for an operation, with the body of r as it arrives. It is not signed.
func awsRequest(r *http.Request, target string) *http.Request {
	call := serviceRequest(r, &url.URL{Path: "/"}, "Accept-Encoding")
	call.Host = internalHost
	call.Header.Set("Content-Type", "application/x-amz-json-1.0")
	call.Header.Set("X-Amz-Target", target)
	return call
}

// serviceRequest returns a request to a service with the method, the body, the context and some headers of r, but not
// its cookies and credentials.
func serviceRequest(r *http.Request, target *url.URL, headers ...string) *http.Request {
	call := r.WithContext(r.Context())
	call.URL, call.RequestURI, call.Header = target, target.RequestURI(), http.Header{"User-Agent": {userAgent}}
	call.Trailer, call.TransferEncoding = nil, nil
	for _, name := range headers {
		if values := r.Header.Values(name); len(values) > 0 {
			call.Header[name] = values
		}
	}
	return call
}
