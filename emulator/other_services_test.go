package emulator

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestOtherServicesAreRefused sends requests for services that the port does not serve, as SDKs do if AWS_ENDPOINT_URL
// is set: each fails with an error of its protocol that names the variable to set instead.
func TestOtherServicesAreRefused(t *testing.T) {
	t.Parallel()
	f := &front{dynamo: named("dynamo"), s3: named("s3"), health: named("health"), sts: named("sts")}
	const advice = "Set AWS_ENDPOINT_URL_DYNAMODB instead of AWS_ENDPOINT_URL"
	for _, c := range []struct {
		service, method, path string
		header                map[string]string
		contentType, begin    string
	}{
		{"lambda", "POST", "/2015-03-31/functions/f/invocations", nil, "application/json",
			`{"__type":"UnknownOperationException"`},
		{"lambda", "GET", "/2015-03-31/functions", nil, "application/json", `{"__type"`},
		{"firehose", "POST", "/", map[string]string{"X-Amz-Target": "Firehose_20150804.PutRecord",
			"Content-Type": "application/x-amz-json-1.1"}, "application/x-amz-json-1.1", `{"__type"`},
		{"sqs", "POST", "/", map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
			"text/xml", "<ErrorResponse><Error>"},
		{"ec2", "POST", "/", map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
			"text/xml", "<Response><Errors>"},
		{"route53", "GET", "/2013-04-01/hostedzone", nil, "text/xml", "<ErrorResponse><Error>"},
		{"logs", "POST", "/service/Logs/operation/Tail", map[string]string{"Smithy-Protocol": "rpc-v2-cbor"},
			"application/cbor", "\xa2\x79\x00\x06__type\x79\x00\x19UnknownOperationException"},
	} {
		w := serveSigned(f, c.service, c.method, c.path, c.header)
		body := w.Body.String()
		if w.Code != http.StatusBadRequest || w.Header().Get("Content-Type") != c.contentType ||
			!strings.HasPrefix(body, c.begin) || !strings.Contains(body, advice) || !strings.Contains(body, c.service) {
			t.Errorf("%s %s %s: %d %v %s", c.service, c.method, c.path, w.Code, w.Header(), body)
		}
	}
	for _, service := range servedScopes {
		if w := serveSigned(f, service, "POST", "/", nil); strings.Contains(w.Body.String(), advice) {
			t.Errorf("%s is refused", service)
		}
	}
}

// serveSigned sends a request that is signed for a service.
func serveSigned(f *front, service, method, path string, header map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader("{}"))
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=key/20261124/us-east-1/"+service+
		"/aws4_request, SignedHeaders=host, Signature=0")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}
