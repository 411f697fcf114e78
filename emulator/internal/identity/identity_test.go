package identity

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

const people = `
account: "123456789012"
users:
  ana:
    keys: [{id: AKIAIOSFODNN7EXAMPLE, secret: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY}]
    policies: [AdministratorAccess]
  bob:
    keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}]
    inline:
      assume: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "sts:AssumeRole", Resource: "*"}}
roles:
  reader:
    trust: {Version: "2012-10-17", Statement: {Effect: Allow, Principal: {AWS: "123456789012"}, Action: "sts:AssumeRole"}}
    inline:
      read: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:GetItem", Resource: "*"}}
`

var ana = aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE",
	SecretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}

// newService returns a service with the identities above, on a stopped clock.
func newService(t testing.TB) (*Service, *clock.Clock) {
	t.Helper()
	d, err := identities.Parse("people.yaml", []byte(people))
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	c := clock.Manual(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC))
	s, err := New(Config{Store: st, Clock: c, File: d})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// signed returns a request signed by the SDK.
func signed(t testing.TB, who aws.Credentials, at time.Time, body string) *http.Request {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
	r.Header.Add("X-Amz-Meta", " a  b ")
	r.Header.Add("X-Amz-Meta", "c")
	sum := sha256.Sum256([]byte(body))
	if err := v4.NewSigner().SignHTTP(context.Background(), who, r, hex.EncodeToString(sum[:]), "dynamodb", "us-east-1",
		at); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSignatureOfTheSDK(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	who, err := s.Gate("dynamodb").Authenticate(signed(t, ana, c.Now(), `{"a":1}`), []byte(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if who.ARN != "arn:aws:iam::123456789012:user/ana" || who.Region != "us-east-1" || who.UserName != "ana" {
		t.Errorf("%+v", who)
	}
}

func TestPresignedRequest(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	sum := sha256.Sum256(nil)
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/a%20b/?z=1&a=2&a=1&X-Amz-Expires=3600", nil)
	uri, _, err := v4.NewSigner().PresignHTTP(context.Background(), ana, r, hex.EncodeToString(sum[:]), "dynamodb",
		"us-east-1", c.Now().Add(-30*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Gate("dynamodb").Authenticate(httptest.NewRequest(http.MethodPost, uri, nil), nil); err != nil {
		t.Error(err)
	}
	if err := c.Advance(31 * time.Minute); err != nil {
		t.Fatal(err)
	}
	_, err = s.Gate("dynamodb").Authenticate(httptest.NewRequest(http.MethodPost, uri, nil), nil)
	refused(t, err, InvalidSignature,
		"Signature expired: 20261121T073000Z is now earlier than 20261121T073100Z (20261121T083100Z - 60 min.)")
}

func refused(t *testing.T, err error, code, message string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, message) {
		t.Errorf("%v\nwant %s: %s", err, code, message)
	}
}

func TestRefusedSignatures(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	now := c.Now()
	other := func(change func(*aws.Credentials)) aws.Credentials {
		cr := ana
		change(&cr)
		return cr
	}
	for _, test := range []struct {
		name          string
		who           aws.Credentials
		at            time.Time
		change        func(*http.Request)
		code, message string
	}{
		{"secret", other(func(c *aws.Credentials) {
			c.SecretAccessKey = "no"
		}), now, nil,
			InvalidSignature, "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.\n\nThe Canonical String for this request should have been\n'POST\n/\n\ncontent-length:2\n"},
		{"unknown key", other(func(c *aws.Credentials) {
			c.AccessKeyID = "AKIAUNKNOWNUNKNOWNUN"
		}), now, nil, UnrecognizedClient, "The security token included in the request is invalid."},
		{"token that is none", other(func(c *aws.Credentials) {
			c.AccessKeyID, c.SessionToken = "ASIAUNKNOWNUNKNOWNUN", "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ="
		}), now, nil, UnrecognizedClient, "The security token included in the request is invalid."},
		{"token with a user's key", other(func(c *aws.Credentials) {
			c.SessionToken = "x"
		}), now, nil, UnrecognizedClient, "The security token included in the request is invalid."},
		{"old", ana, now.Add(-6 * time.Minute), nil, InvalidSignature,
			"Signature expired: 20261121T075400Z is now earlier than 20261121T075500Z (20261121T080000Z - 5 min.)"},
		{"of the future", ana, now.Add(6 * time.Minute), nil, InvalidSignature,
			"Signature not yet current: 20261121T080600Z is still later than 20261121T080500Z (20261121T080000Z + 5 min.)"},
		{"changed header", ana, now, func(r *http.Request) {
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DeleteTable")
		}, InvalidSignature, "does not match"},
		{"no signature", ana, now, func(r *http.Request) {
			r.Header.Del("Authorization")
		}, MissingToken, "Request is missing Authentication Token"},
		{"half", ana, now, func(r *http.Request) {
			r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a/b/c/d/e")
		}, IncompleteSig, "Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4-HMAC-SHA256 Credential=a/b/c/d/e"},
		{"scope", ana, now, func(r *http.Request) {
			r.Header.Set("Authorization", strings.ReplaceAll(r.Header.Get("Authorization"), "/dynamodb/", "/kms/"))
		}, InvalidSignature, "Credential should be scoped to correct service: 'dynamodb'. "},
		{"day", ana, now, func(r *http.Request) {
			r.Header.Set("Authorization", strings.ReplaceAll(r.Header.Get("Authorization"), "20261121/", "20261120/"))
		}, InvalidSignature, "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20261120' != '20261121', from '20261121T080000Z'."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := signed(t, test.who, test.at, "{}")
			if test.change != nil {
				test.change(r)
			}
			_, err := s.Gate("dynamodb").Authenticate(r, []byte("{}"))
			refused(t, err, test.code, test.message)
		})
	}
}

func TestBodyIsSigned(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	_, err := s.Gate("dynamodb").Authenticate(signed(t, ana, c.Now(), `{"a":1}`), []byte(`{"a":2}`))
	refused(t, err, InvalidSignature, "does not match")
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/", nil)
	r.Header.Set("X-Amz-Content-Sha256", unsignedPayload)
	if err := v4.NewSigner().SignHTTP(context.Background(), ana, r, unsignedPayload, "dynamodb", "us-east-1",
		c.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Gate("dynamodb").Authenticate(r, []byte("anything")); err != nil {
		t.Errorf("a body that is not signed: %v", err)
	}
}

func TestWithoutIdentitiesEverythingPasses(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := New(Config{Store: st, Clock: clock.Real()})
	if err != nil {
		t.Fatal(err)
	}
	g := s.Gate("dynamodb")
	who, err := g.Authenticate(httptest.NewRequest(http.MethodPost, "/", nil), nil)
	if err != nil || g.Enabled() || g.Authorize(who, Access{Action: "x:Y", Resource: "*"}) != nil {
		t.Errorf("%+v %v %v", who, err, g.Enabled())
	}
}

func BenchmarkAuthenticate(b *testing.B) {
	s, c := newService(b)
	body := bytes.Repeat([]byte("x"), 1024)
	r := signed(b, ana, c.Now(), string(body))
	g := s.Gate("dynamodb")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Authenticate(r, body); err != nil {
			b.Fatal(err)
		}
	}
}
