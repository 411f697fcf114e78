package push

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func bearer(context.Context) (string, error) { return "oauth", nil }

// TestFCM checks the documented request and the mapping of the documented responses.
func TestFCM(t *testing.T) {
	t.Parallel()
	failure := func(status int, message, state, code string) fakeResponse {
		return fakeResponse{status, `{"error":{"code":` + "0" + `,"message":"` + message + `","status":"` + state +
			`","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"` + code + `"}]}}`, nil}
	}
	const token = "cxsvc9gzo6U:APA91bEH6MEBwXWUD1210128"
	for _, c := range []struct {
		answer fakeResponse
		want   error
		tries  int
	}{
		{fakeResponse{200, `{"name":"projects/photos/messages/0:1"}`, nil}, nil, 1},
		{failure(404, "Requested entity was not found.", "NOT_FOUND", "UNREGISTERED"), ErrUnregistered, 1},
		{failure(400, "The registration token is not a valid FCM registration token", "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
			ErrInvalid, 1},
		{failure(400, "Android message is too big", "INVALID_ARGUMENT", "INVALID_ARGUMENT"), ErrTooBig, 1},
		{failure(403, "SenderId mismatch", "PERMISSION_DENIED", "SENDER_ID_MISMATCH"), ErrCredentials, 1},
		{fakeResponse{401, `{"error":{"status":"UNAUTHENTICATED"}}`, nil}, ErrCredentials, 1},
		{failure(429, "Quota exceeded", "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), ErrRateLimited, 1}, // asks for a minute
		{failure(503, "The service is currently unavailable.", "UNAVAILABLE", "UNAVAILABLE"), ErrUnavailable, maxAttempts},
		{fakeResponse{200, `{}`, nil}, ErrUnavailable, 1},
	} {
		server := newFakeService(t, c.answer)
		fcm := NewFCM(server.URL, "photos", bearer, nil, server.wait)
		result := send(t, fcm, Message{To: token, Title: "Done", Body: "Your photo", Data: map[string]string{"job": "1"}})
		wantError(t, result.Err, c.want, token)
		if c.want == nil && result.ID != "projects/photos/messages/0:1" || len(server.recorded().bodies) != c.tries {
			t.Errorf("%v: result %+v after %d tries", c.want, result, len(server.recorded().bodies))
		}
		want := `{"message":{"token":"` + token + `","notification":{"title":"Done","body":"Your photo"},"data":{"job":"1"}}}`
		if server.recorded().bodies[0] != want ||
			server.recorded().paths[0] != "HTTP/1.1 /v1/projects/photos/messages:send" ||
			server.recorded().headers[0].Get("Authorization") != "Bearer oauth" {
			t.Errorf("sent %s %s %v", server.recorded().paths[0], server.recorded().bodies[0], server.recorded().headers[0])
		}
	}
	refuse := func(context.Context) (string, error) { return "", errors.New("key file: secret") }
	server := newFakeService(t, fakeResponse{200, `{}`, nil})
	if r := send(t, NewFCM(server.URL, "photos", refuse, nil, server.wait), Message{To: token}); !errors.Is(r.Err,
		ErrCredentials) {
		t.Errorf("without an access token: %v", r.Err)
	}
}

func newKey(t *testing.T) Key {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParseKey("ABC123DEFG", "DEF123GHIJ", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestAPNs checks the documented request over HTTP/2 and the mapping of the documented responses.
func TestAPNs(t *testing.T) {
	t.Parallel()
	key, now := newKey(t), time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	hex := strings.Repeat("0f", 32)
	for _, c := range []struct {
		answer fakeResponse
		want   error
		tries  int
	}{
		{fakeResponse{200, "", []string{"apns-id", "EC1BF194-B3B2-424A-89A9-5A918A6E6B5C"}}, nil, 1},
		{fakeResponse{410, `{"reason":"Unregistered","timestamp":1763719200000}`, nil}, ErrUnregistered, 1},
		{fakeResponse{400, `{"reason":"BadDeviceToken"}`, nil}, ErrInvalid, 1},
		{fakeResponse{400, `{"reason":"DeviceTokenNotForTopic"}`, nil}, ErrCredentials, 1},
		{fakeResponse{403, `{"reason":"InvalidProviderToken"}`, nil}, ErrCredentials, 1},
		{fakeResponse{403, `{"reason":"ExpiredProviderToken"}`, nil}, ErrCredentials, 1}, // too early for a new token
		{fakeResponse{413, `{"reason":"PayloadTooLarge"}`, nil}, ErrTooBig, 1},
		{fakeResponse{429, `{"reason":"TooManyRequests"}`, nil}, ErrRateLimited, maxAttempts},
		{fakeResponse{503, `{"reason":"ServiceUnavailable"}`, nil}, ErrUnavailable, maxAttempts},
		{fakeResponse{0, "", nil}, ErrUnavailable, maxAttempts},
	} {
		server := newFakeService(t, c.answer)
		apns := NewAPNs(server.URL, "com.example.photos", key, func() time.Time { return now }, nil, server.wait)
		result := send(t, apns, Message{To: hex, Title: "Done", Body: "Your photo", Data: map[string]string{"job": "1"}})
		wantError(t, result.Err, c.want, hex)
		if len(server.recorded().bodies) < c.tries { // HTTP/2 itself may retry once after a broken stream
			t.Errorf("%v: %d tries, want %d", c.want, len(server.recorded().bodies), c.tries)
		}
		if c.want == nil && result.ID != "EC1BF194-B3B2-424A-89A9-5A918A6E6B5C" ||
			errors.Is(c.want, ErrUnregistered) == result.Since.IsZero() {
			t.Errorf("%v: result %+v", c.want, result)
		}
		h := server.recorded().headers[0]
		if server.recorded().paths[0] != "HTTP/2.0 /3/device/"+hex || h.Get("apns-topic") != "com.example.photos" ||
			h.Get("apns-push-type") != "alert" ||
			server.recorded().bodies[0] != `{"aps":{"alert":{"body":"Your photo","title":"Done"}},"job":"1"}` {
			t.Errorf("sent %s %s %v", server.recorded().paths[0], server.recorded().bodies[0], h)
		}
	}
}

// TestProviderToken checks that a provider token is used for 50 minutes, and replaced earlier when the service finds it
// too old.
func TestProviderToken(t *testing.T) {
	t.Parallel()
	key, now := newKey(t), time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	ok := fakeResponse{200, "", []string{"apns-id", "1"}}
	server := newFakeService(t, ok, ok, ok, fakeResponse{403, `{"reason":"ExpiredProviderToken"}`, nil}, ok)
	apns := NewAPNs(server.URL, "com.example.photos", key, func() time.Time { return now }, nil, server.wait)
	for _, passed := range []time.Duration{0, 49 * time.Minute, time.Minute, 20 * time.Minute} {
		now = now.Add(passed)
		if r := send(t, apns, Message{To: "0f"}); r.Err != nil {
			t.Errorf("after %v: %v", passed, r.Err)
		}
	}
	auth := func(n int) string { return server.recorded().headers[n].Get("Authorization") }
	if auth(0) != auth(1) || auth(1) == auth(2) || auth(2) != auth(3) || auth(3) == auth(4) {
		t.Error("tokens were not kept and renewed as they should")
	}
	parsed, err := jwt.Parse(strings.TrimPrefix(auth(4), "bearer "), func(*jwt.Token) (any, error) {
		return &key.Private.PublicKey, nil
	},
		jwt.WithValidMethods([]string{"ES256"}), jwt.WithTimeFunc(func() time.Time { return now }), jwt.WithIssuedAt())
	if err != nil || parsed.Header["kid"] != key.ID {
		t.Fatalf("token %v: %v", parsed, err)
	}
	if iss, _ := parsed.Claims.GetIssuer(); iss != key.Team {
		t.Errorf("issuer %q", iss)
	}
}

// TestParseKey checks that invalid keys are refused and not repeated in the error.
func TestParseKey(t *testing.T) {
	t.Parallel()
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(p384)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range [][]byte{nil, []byte("secret"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY",
		Bytes: []byte("secret")}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})} {
		if _, err := ParseKey("ABC123DEFG", "DEF123GHIJ", file); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", file, err)
		}
	}
	if r := send(t, NewAPNs("", "topic", Key{}, time.Now, nil, nil), Message{To: "0f"}); !errors.Is(r.Err,
		ErrCredentials) {
		t.Errorf("without a key: %v", r.Err)
	}
}
