package identity

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// hostileRequest returns a request with ana's access key and these signed headers, whose signature is wrong.
func hostileRequest(date, signedHeaders string, headers http.Header) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/", strings.NewReader("{}"))
	for name, values := range headers {
		r.Header[name] = values
	}
	r.Header.Set("X-Amz-Date", date)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+ana.AccessKeyID+"/"+date[:8]+
		"/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders="+signedHeaders+", Signature="+strings.Repeat("0", 64))
	return r
}

// caseVariants returns n spellings of one name that differ in case.
func caseVariants(n int) string {
	names := make([]string, n)
	for i := range names {
		name := []byte("abcdefghijkl")
		for bit := range name {
			if i>>bit&1 == 1 {
				name[bit] -= 'a' - 'A'
			}
		}
		names[i] = string(name)
	}
	return strings.Join(names, ";")
}

// A refusal is no larger than a few times its limit, whatever a request repeats, and neither is the memory that the
// verification keeps for the next request.
func TestRefusalsDoNotMultiplyARequest(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	now := c.Now().UTC().Format(dateLayout)
	large := strings.Repeat("x", 32<<10)
	day := now[:8]
	presigned := func(change func(url.Values)) *http.Request {
		q := url.Values{"X-Amz-Algorithm": {algorithm}, "X-Amz-Credential": {ana.AccessKeyID + "/" + day +
			"/us-east-1/dynamodb/aws4_request"},
			"X-Amz-Date": {now}, "X-Amz-SignedHeaders": {"host"}, "X-Amz-Signature": {"0"}}
		change(q)
		return httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/?"+q.Encode(), strings.NewReader("{}"))
	}
	with := func(name, value string) http.Header { return http.Header{name: {value}} }
	header := func(authorization string) *http.Request {
		return &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/"},
			Header: http.Header{"Authorization": {authorization}, "X-Amz-Date": {now}}}
	}
	for name, r := range map[string]*http.Request{
		"one header 10,000 times":      hostileRequest(now, "host"+strings.Repeat(";b", 10_000), with("B", large)),
		"one header 100 times":         hostileRequest(now, "host"+strings.Repeat(";b", 98), with("B", large)),
		"one header in 64 spellings":   hostileRequest(now, caseVariants(64)+";host", with("Abcdefghijkl", large)),
		"host 90 times":                hostileRequest(now, "host"+strings.Repeat(";host", 90), nil),
		"a large header":               hostileRequest(now, "b;host", with("B", large)),
		"a header of many values":      hostileRequest(now, "b;host", http.Header{"B": strings.Split(large, "")}),
		"a large date":                 hostileRequest(day+large, "host", nil),
		"a presigned large date":       presigned(func(q url.Values) { q.Set("X-Amz-Date", large) }),
		"a presigned large credential": presigned(func(q url.Values) { q.Set("X-Amz-Credential", large) }),
		"a presigned large region":     presigned(func(q url.Values) { q.Set("X-Amz-Credential", "a/b/"+large+"/d/e") }),
		"a presigned large algorithm":  presigned(func(q url.Values) { q.Set("X-Amz-Algorithm", large) }),
		"a presigned list of headers": presigned(func(q url.Values) {
			q.Set("X-Amz-SignedHeaders", "host"+strings.Repeat(";host", 10_000))
		}),
		"a large parameter":  presigned(func(q url.Values) { q.Set("p", strings.Repeat("\x00", 32<<10)) }),
		"a large algorithm":  header("AWS4-" + large + " Credential=a/b/c/d/e, SignedHeaders=host, Signature=0"),
		"a large credential": header("AWS4-HMAC-SHA256 Credential=" + large + ", SignedHeaders=host, Signature=0"),
		"a large scope": header("AWS4-HMAC-SHA256 Credential=a/" + large + "/" + large + "/d/" + large +
			", SignedHeaders=host, Signature=0"),
		"a header without a claim":  header("AWS4-" + large),
		"many parts without values": header("AWS4-HMAC-SHA256 " + strings.Repeat(", ", 16<<10)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Gate("dynamodb").Authenticate(r, []byte("{}"))
			var refusal *Error
			if !errors.As(err, &refusal) {
				t.Fatalf("not refused: %v", err)
			}
			if len(refusal.Message) > 2*maxErrorMessage {
				t.Errorf("a refusal of %d bytes: %.100s", len(refusal.Message), refusal.Message)
			}
		})
	}
}

func TestMoreSignedHeadersThanTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	names := []string{"host"}
	for i := range maxSigned {
		names = append(names, fmt.Sprintf("x-amz-%03d", i))
	}
	_, err := s.Gate("dynamodb").Authenticate(hostileRequest(c.Now().UTC().Format(dateLayout), strings.Join(names, ";"),
		nil), []byte("{}"))
	var refusal *Error
	if !errors.As(err, &refusal) || refusal.Code != IncompleteSig {
		t.Errorf("%d signed headers: %v", len(names), err)
	}
}

// A sorted list in lower case without duplicates is what the service computes from any other list before it checks the
// signature.
func TestSignedHeadersAreSortedAndUnique(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"host":                           "host",
		"content-type;host;x-amz-date":   "content-type;host;x-amz-date",
		"x-amz-date;host;content-type":   "content-type;host;x-amz-date",
		"host;host":                      "host",
		"Host;host;HOST":                 "host",
		"host;x-amz-meta;x-amz-meta-one": "host;x-amz-meta;x-amz-meta-one",
		"host;b;b;b;a":                   "a;b;host",
		"host;":                          ";host",
	} {
		got, ok := normalizeSigned(in)
		if !ok || got != want {
			t.Errorf("%q becomes %q (%v), not %q", in, got, ok, want)
		}
	}
}
