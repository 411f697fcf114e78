package auth

import (
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

func start() time.Time { return time.Date(2026, 2, 3, 10, 30, 0, 0, time.UTC) }

func fixed() time.Time { return start() }

func newIssuer(t testing.TB) *Issuer {
	t.Helper()
	i, err := NewIssuer(fixed)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// forged holds the claims and the header of a valid token, which a test case changes, and how the case signs it.
type forged struct {
	method jwt.SigningMethod
	header map[string]any
	claims jwt.MapClaims
	key    any
}

func (i *Issuer) forge(t testing.TB, change func(*forged)) string {
	t.Helper()
	f := forged{
		method: jwt.SigningMethodES256, header: map[string]any{"kid": i.keys[0].KeyID}, key: i.private,
		claims: jwt.MapClaims{
			"iss": i.URL, "aud": Audience, "sub": "ana", "iat": start().Unix(), "nbf": start().Unix(),
			"exp": start().Add(time.Hour).Unix(),
		},
	}
	change(&f)
	token := jwt.NewWithClaims(f.method, f.claims)
	for name, value := range f.header {
		token.Header[name] = value
	}
	raw, err := token.SignedString(f.key)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func claim(name string, value any) func(*forged) {
	return func(f *forged) {
		if f.claims[name] = value; value == nil {
			delete(f.claims, name)
		}
	}
}

func header(name string, value any) func(*forged) {
	return func(f *forged) {
		if f.header[name] = value; value == nil {
			delete(f.header, name)
		}
	}
}

// TestValidTokens checks changes that leave a token valid.
func TestValidTokens(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	for name, change := range map[string]func(*forged){
		"as it is":                       func(*forged) {},
		"one audience of several":        claim("aud", []string{"other", Audience}),
		"no iat and no nbf":              func(f *forged) { delete(f.claims, "iat"); delete(f.claims, "nbf") },
		"expired within the leeway":      claim("exp", start().Add(-29*time.Second).Unix()),
		"of a clock a little ahead":      claim("iat", start().Add(29*time.Second).Unix()),
		"of an access token's type":      header("typ", "at+jwt"),
		"subject of the longest":         claim("sub", strings.Repeat("a", 255)),
		"subject with all that is let":   claim("sub", "auth0|Ana.B_c:d@e+f=g-9"),
		"further claims and header text": func(f *forged) { f.claims["email"] = "x"; f.header["x"] = "y" },
	} {
		if _, err := i.Verify(t.Context(), i.forge(t, change)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInvalidTokens checks that invalid tokens are refused, all with the same message.
func TestInvalidTokens(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&i.private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	for name, change := range map[string]func(*forged){
		"signed by another key": func(f *forged) { f.key = other },
		"the public key as a secret, HS256": func(f *forged) {
			f.method, f.key = jwt.SigningMethodHS256, public
		},
		"unsigned": func(f *forged) {
			f.method, f.key = jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType
		},
		"expired":                    claim("exp", start().Add(-31*time.Second).Unix()),
		"without expiry":             claim("exp", nil),
		"not yet":                    claim("nbf", start().Add(31*time.Second).Unix()),
		"made in the future":         claim("iat", start().Add(31*time.Second).Unix()),
		"for another audience":       claim("aud", "other"),
		"for nobody":                 claim("aud", nil),
		"of another issuer":          claim("iss", "https://login.example.com"),
		"of no issuer":               claim("iss", nil),
		"without a key id":           header("kid", nil),
		"with an empty key id":       header("kid", ""),
		"with a key id that is none": header("kid", 7),
		"of an unknown key":          header("kid", "other"),
		"with a critical header":     header("crit", []string{"exp"}),
		"another algorithm's name":   header("alg", "RS256"),
		"without a subject":          claim("sub", nil),
		"with an empty subject":      claim("sub", ""),
		"subject with a separator":   claim("sub", "ana#bob"),
		"subject with a space":       claim("sub", "ana bob"),
		"subject a path":             claim("sub", ".."),
		"subject not ASCII":          claim("sub", "änne"),
		"subject too long":           claim("sub", strings.Repeat("a", 256)),
		"subject a number":           claim("sub", 7),
		"roles a text":               claim("roles", "reviewer"),
		"a role with a space":        claim("roles", []string{"a b"}),
		"too many roles":             claim("roles", strings.Split(strings.Repeat("a,", 64)+"a", ",")),
		"longer than 8 KB":           claim("filler", strings.Repeat("a", 8<<10)),
	} {
		wantInvalid(t, name, i, i.forge(t, change))
	}
	valid := i.forge(t, func(*forged) {})
	parts := strings.Split(valid, ".")
	for name, raw := range map[string]string{
		"nothing": "", "two parts": parts[0] + "." + parts[1], "four parts": valid + ".a", "no signature": parts[0] + "." +
			parts[1] + ".",
		"signature cut": valid[:len(valid)-2], "padded": valid + "=", "not base64": "a b.c.d", "space before": " " + valid,
		"another's payload": parts[0] + "." + strings.Split(i.forge(t, claim("sub", "bob")), ".")[1] + "." + parts[2],
	} {
		wantInvalid(t, name, i, raw)
	}
}

func wantInvalid(t *testing.T, name string, v Verifier, raw string) {
	t.Helper()
	claims, err := v.Verify(t.Context(), raw)
	if !errors.Is(err, ErrInvalidToken) || claims.Subject != "" {
		t.Errorf("%s: taken as %q, %v", name, claims.Subject, err)
	} else if err.Error() != ErrInvalidToken.Error() {
		t.Errorf("%s: the error says more: %v", name, err)
	}
}
