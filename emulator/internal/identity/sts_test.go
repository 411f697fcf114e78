package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

var bob = aws.Credentials{AccessKeyID: "AKIABOBBOBBOBBOBBOB1", SecretAccessKey: "secret-of-bob"}

// ask sends a form to STS; pairs are names and values in turn.
func ask(t *testing.T, s *Service, at time.Time, who aws.Credentials, pairs ...string) (int, string) {
	t.Helper()
	form := url.Values{"Version": {stsVersion}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	body := form.Encode()
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	sum := sha256.Sum256([]byte(body))
	if err := v4.NewSigner().SignHTTP(context.Background(), who, r, hex.EncodeToString(sum[:]), "sts", "us-east-1",
		at); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.STS().ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// between returns the text between two texts.
func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}

const reader = "arn:aws:iam::123456789012:role/reader"

func TestSTS(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	for _, test := range []struct {
		who    aws.Credentials
		form   []string
		status int
		want   string
	}{
		{ana, []string{"Action", "GetCallerIdentity"}, 200,
			"<GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ana</Arn><UserId>AIDA"},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1"}, 200,
			"<AssumedRoleUser><AssumedRoleId>AROA"},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1"}, 200,
			"<Expiration>2026-11-21T09:00:00Z</Expiration>"},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1",
			"PolicyArns.member.1.arn", "arn:aws:iam::aws:policy/ReadOnlyAccess"}, 400, "PolicyArns is not supported"},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader + "x", "RoleSessionName", "s1"},
			403, "<Code>AccessDenied</Code><Message>User: arn:aws:iam::123456789012:user/bob is not authorized to perform: sts:AssumeRole on resource: " +
				reader + "x</Message>"},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader},
			400, "<Code>ValidationError</Code><Message>1 validation error detected: Value null at &#39;roleSessionName&#39; failed to satisfy constraint: Member must not be null"},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s 1", "DurationSeconds", "60"}, 400,
			"2 validation errors detected: "},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1", "DurationSeconds", "7200"}, 400,
			"The requested DurationSeconds exceeds the MaxSessionDuration set for this role."},
		{bob, []string{"Action", "AssumeRole", "RoleArn", "arn:aws:iam::123456789012:user/reader", "RoleSessionName", "s1"},
			400, "is invalid"},
		{bob, []string{"Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1", "Policy", "{"}, 400,
			"<Code>MalformedPolicyDocument</Code>"},
		{bob, []string{"Action", "GetSessionToken"}, 200, "<Expiration>2026-11-21T20:00:00Z</Expiration>"},
		{bob, []string{"Action", "Dance"}, 400,
			"<Code>InvalidAction</Code><Message>Could not find operation Dance for version 2011-06-15"},
		{aws.Credentials{AccessKeyID: "AKIANOBODYNOBODYNOBO", SecretAccessKey: "x"}, []string{"Action", "GetCallerIdentity"},
			403, "<Code>InvalidClientTokenId</Code>"},
		{aws.Credentials{AccessKeyID: bob.AccessKeyID, SecretAccessKey: "x"}, []string{"Action", "GetCallerIdentity"}, 403,
			"<Code>SignatureDoesNotMatch</Code>"},
	} {
		if status, body := ask(t, s, c.Now(), test.who, test.form...); status != test.status ||
			!strings.Contains(body, test.want) {
			t.Errorf("%v: %d %s\nwant %d %s", test.form, status, body, test.status, test.want)
		}
	}
}

func TestSessionsCannotBeForged(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	_, body := ask(t, s, c.Now(), bob, "Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1",
		"Policy", `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:Scan","Resource":"*"}}`)
	keys := aws.Credentials{
		AccessKeyID:     between(body, "<AccessKeyId>", "<"),
		SecretAccessKey: strings.ReplaceAll(between(body, "<SecretAccessKey>", "<"), "&#43;", "+"),
		SessionToken:    strings.ReplaceAll(between(body, "<SessionToken>", "<"), "&#43;", "+"),
	}
	g := s.Gate("dynamodb")
	who, err := g.Authenticate(signed(t, keys, c.Now(), "{}"), []byte("{}"))
	if err != nil || who.ARN != "arn:aws:sts::123456789012:assumed-role/reader/s1" {
		t.Fatalf("%+v %v", who, err)
	}
	err = g.Authorize(who, Access{Action: "dynamodb:GetItem", Resource: "arn:aws:dynamodb:us-east-1:123456789012:table/t"})
	refused(t, err, AccessDenied, "because no session policy allows the dynamodb:GetItem action")

	for name, forge := range map[string]func(*aws.Credentials){
		"another key":   func(c *aws.Credentials) { c.AccessKeyID = "ASIAOTHEROTHEROTHER1" },
		"another token": func(c *aws.Credentials) { c.SessionToken = "A" + c.SessionToken[1:] },
		"no token":      func(c *aws.Credentials) { c.SessionToken = "" },
	} {
		forged := keys
		if forge(&forged); forged == keys {
			continue // the token began with an A
		}
		_, err := g.Authenticate(signed(t, forged, c.Now(), "{}"), []byte("{}"))
		refused(t, err, UnrecognizedClient, "The security token included in the request is invalid.")
		if err != nil && keys.SessionToken != "" && strings.Contains(err.Error(), keys.SessionToken) {
			t.Errorf("%s: the refusal tells the token", name)
		}
	}
	wrong := keys
	wrong.SecretAccessKey = "another"
	_, err = g.Authenticate(signed(t, wrong, c.Now(), "{}"), []byte("{}"))
	refused(t, err, InvalidSignature, "x-amz-security-token:(hidden)")
}

func TestIdentityChangesSurviveRestarts(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	c := clock.Manual(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC))
	open := func() *Service {
		s, err := New(Config{Store: st, Clock: c})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	if err := s.Put("123456789012", "users", "fay", []byte(`{"policies":["AdministratorAccess"]}`)); err != nil {
		t.Fatal(err)
	}
	id, secret, err := s.NewKey("123456789012", "fay")
	if err != nil {
		t.Fatal(err)
	}
	fay := aws.Credentials{AccessKeyID: id, SecretAccessKey: secret}
	for _, s := range []*Service{s, open()} {
		if _, err := s.Gate("dynamodb").Authenticate(signed(t, fay, c.Now(), "{}"), []byte("{}")); err != nil {
			t.Error(err)
		}
	}
	if err := st.View(func(r *store.Reader) error {
		it := r.Iter(nil, nil, false)
		for it.Next() {
			if strings.Contains(string(it.Value()), secret) {
				t.Errorf("the secret is in the store, under %q", it.Key())
			}
		}
		return it.Close()
	}); err != nil {
		t.Error(err)
	}
	if err := st.Reset(); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(); err != nil || s.Gate("x").Enabled() {
		t.Errorf("after a reset somebody is there: %v", err)
	}
}

func FuzzAuthorization(f *testing.F) {
	f.Add("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=00",
		"20261121T080000Z", "a=b&X-Amz-Signature=1&%zz")
	f.Add("AWS4-", "2026", "X-Amz-Algorithm=x")
	s, _ := newService(f)
	f.Fuzz(func(t *testing.T, header, date, query string) {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.URL.RawQuery = query
		r.Header["Authorization"], r.Header["X-Amz-Date"] = []string{header}, []string{date}
		if who, err := s.Gate("dynamodb").Authenticate(r, nil); err == nil {
			t.Fatalf("it is taken for %s", who.ARN)
		}
	})
}

// TestSessionsOfBeforeIdentitiesAreNoLonger assumes a role that is described afterwards: the session is not valid then.
func TestSessionsOfBeforeIdentitiesAreNoLonger(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	c := clock.Manual(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC))
	s, err := New(Config{Store: st, Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	status, body := ask(t, s, c.Now(), bob, "Action", "AssumeRole", "RoleArn", reader, "RoleSessionName", "s1")
	early := aws.Credentials{
		AccessKeyID:     between(body, "<AccessKeyId>", "<"),
		SecretAccessKey: between(body, "<SecretAccessKey>", "<"),
		SessionToken:    between(body, "<SessionToken>", "<"),
	}
	if status != http.StatusOK || early.SessionToken == "" {
		t.Fatalf("%d %s", status, body)
	}
	role := `{"trust": {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": {"AWS": "123456789012"}, "Action": "sts:AssumeRole"}}}`
	if err := s.Put("123456789012", "roles", "reader", []byte(role)); err != nil {
		t.Fatal(err)
	}
	if status, body := ask(t, s, c.Now(), early, "Action", "GetCallerIdentity"); status != http.StatusForbidden ||
		!strings.Contains(body, "InvalidClientTokenId") {
		t.Errorf("%d %s", status, body)
	}
}
