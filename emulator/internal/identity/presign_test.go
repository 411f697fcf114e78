package identity

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// presigning generates random requests that the SDK's signer signs, in the query or in headers.
type presigning struct{ *rand.Rand }

// text returns random text, with characters that encodings treat differently, and others.
func (p presigning) text(most int) string {
	const odd = " +%&=?#/;:,~._-!*'()[]{}|\\^`\"<>@$Aaz09\t\x00\x7fé€😀"
	all := []rune(odd)
	var b strings.Builder
	for range p.IntN(most + 1) {
		b.WriteRune(all[p.IntN(len(all))])
	}
	return b.String()
}

// url returns an address with a path and a query as a client may write them.
func (p presigning) url() string {
	path := "/"
	for range p.IntN(4) {
		path += url.PathEscape(p.text(6)) + "/"
	}
	query := url.Values{}
	for range p.IntN(5) {
		name := p.text(4) + string(rune('a'+p.IntN(3))) // some names come several times
		query.Add(name, p.text(5))
		if p.IntN(3) == 0 {
			query.Add(name, p.text(5))
		}
	}
	return "http://db.example:8000" + path + "?" + query.Encode()
}

// headers adds headers to a request as clients and proxies write them.
func (p presigning) headers(r *http.Request) {
	for range p.IntN(4) {
		name := []string{"x-amz-meta-a", "X-AMZ-Meta-B", "Content-Type", "X-Custom", "x-amz-target", "Range"}[p.IntN(6)]
		value := strings.NewReplacer("\x00", "", "\x7f", "", "\t", " ").Replace(p.text(8))
		r.Header[http.CanonicalHeaderKey(name)] = append(r.Header[http.CanonicalHeaderKey(name)], value)
	}
}

// onTheWire returns a request as a server reads it.
func onTheWire(t *testing.T, r *http.Request, body []byte) *http.Request {
	t.Helper()
	r.Body, r.ContentLength = http.NoBody, int64(len(body))
	if len(body) > 0 {
		r.Body = readCloser{bytes.NewReader(body)}
	}
	var wire bytes.Buffer
	if err := r.Write(&wire); err != nil {
		t.Fatal(err)
	}
	read, err := http.ReadRequest(bufio.NewReader(&wire))
	if err != nil {
		t.Fatalf("%v\n%s", err, wire.Bytes())
	}
	return read
}

type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }

// signing is a signed request as a server reads it.
type signing struct {
	*http.Request
	body     []byte
	unsigned bool      // whether the signature does not cover the body
	at       time.Time // when it was signed
	lifetime time.Duration
}

// sign signs a random request, in the query or in headers.
func (p presigning) sign(t *testing.T, who aws.Credentials, now time.Time) signing {
	t.Helper()
	s := signing{body: []byte(p.text(40)), unsigned: p.IntN(4) == 0, lifetime: 5 * time.Minute,
		at: now.Add(time.Duration(p.IntN(1000)) * time.Millisecond)}
	r, err := http.NewRequestWithContext(context.Background(), []string{"POST", "GET", "PUT"}[p.IntN(3)], p.url(),
		bytes.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	p.headers(r)
	payload := hex.EncodeToString(sha(s.body))
	if s.unsigned {
		payload = unsignedPayload
		r.Header.Set("X-Amz-Content-Sha256", payload)
	}
	if p.IntN(4) == 0 {
		if err := v4.NewSigner().SignHTTP(context.Background(), who, r, payload, "dynamodb", "us-east-1", s.at); err != nil {
			t.Fatal(err)
		}
		s.Request = onTheWire(t, r, s.body)
		return s
	}
	if p.IntN(2) == 0 {
		seconds := []int{1, 2, 60, 300, 3600, 12 * 3600}[p.IntN(6)]
		s.lifetime = time.Duration(seconds) * time.Second
		query := r.URL.Query()
		query.Set("X-Amz-Expires", strconv.Itoa(seconds))
		r.URL.RawQuery = query.Encode()
	}
	uri, headers, err := v4.NewSigner().PresignHTTP(context.Background(), who, r, payload, "dynamodb", "us-east-1", s.at)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := http.NewRequestWithContext(context.Background(), r.Method, uri, bytes.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	sent.Header = headers
	sent.Header.Del("Host")
	s.Request = onTheWire(t, sent, s.body)
	return s
}

// TestSDKSignaturesAreAccepted signs random requests with the Go SDK's signer: all of them are accepted while they are
// valid, including the boundaries of that time, and none with another body or after its time.
func TestSDKSignaturesAreAccepted(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 400, func(t *testing.T, seed uint64) {
		p := presigning{rand.New(rand.NewPCG(seed, 0x7072657369676e))}
		s, c := newService(t)
		who := ana
		if p.IntN(3) == 0 {
			who = assumed(t, s, c)
		}
		sent, gate := p.sign(t, who, c.Now()), s.Gate("dynamodb")
		if _, err := gate.Authenticate(sent.Request, sent.body); err != nil {
			t.Errorf("%s %s, with %v: %v", sent.Method, sent.RequestURI, sent.Header, err)
		}
		if _, err := gate.Authenticate(sent.Request, append([]byte("more"), sent.body...)); (err == nil) != sent.unsigned {
			t.Errorf("%s %s with another body: %v", sent.Method, sent.RequestURI, err)
		}
		if who.SessionToken != "" && sent.lifetime >= time.Hour {
			return // the session ends first
		}
		last := sent.at.Truncate(time.Second).Add(sent.lifetime + time.Second - time.Nanosecond) // the end of its last second
		if err := c.Advance(last.Sub(c.Now())); err != nil {
			t.Fatal(err)
		}
		if _, err := gate.Authenticate(sent.Request, sent.body); err != nil {
			t.Errorf("in its last second, %v after it was signed: %v", last.Sub(sent.at), err)
		}
		if err := c.Advance(time.Nanosecond); err != nil {
			t.Fatal(err)
		}
		if _, err := gate.Authenticate(sent.Request, sent.body); err == nil {
			t.Errorf("taken %v after it was signed, for %v", c.Now().Sub(sent.at), sent.lifetime)
		}
	})
}

// assumed returns temporary credentials of STS, whose token is in each request.
func assumed(t *testing.T, s *Service, c *clock.Clock) aws.Credentials {
	t.Helper()
	status, answer := ask(t, s, c.Now(), bob, "Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1")
	if status != http.StatusOK {
		t.Fatal(answer)
	}
	return aws.Credentials{
		AccessKeyID:     between(answer, "<AccessKeyId>", "</AccessKeyId>"),
		SecretAccessKey: between(answer, "<SecretAccessKey>", "</SecretAccessKey>"),
		SessionToken:    between(answer, "<SessionToken>", "</SessionToken>"),
	}
}

func sha(body []byte) []byte {
	sum := sha256.Sum256(body)
	return sum[:]
}
