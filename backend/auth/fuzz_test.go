package auth

import (
	"errors"
	"testing"
	"time"
)

// FuzzVerify checks that only the issuer's own tokens are accepted, and that no input causes a panic.
func FuzzVerify(f *testing.F) {
	i, other := newIssuer(f), newIssuer(f)
	valid, err := i.Token("ana", time.Hour, "reviewer")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		valid, other.forge(f, func(*forged) {}), "", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.",
		"eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJhIn0.AAAA", valid + ".", valid[:40],
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		claims, err := i.Verify(t.Context(), raw)
		switch {
		case raw == valid && err != nil:
			t.Errorf("the good token: %v", err)
		case raw != valid && (!errors.Is(err, ErrInvalidToken) || claims.Subject != ""):
			t.Errorf("%q is taken as %q: %v", raw, claims.Subject, err)
		}
	})
}

// FuzzParseKeys checks that no key set causes a panic, and that the keys found in one can verify signatures.
func FuzzParseKeys(f *testing.F) {
	for _, seed := range []string{
		`{"keys":[]}`, `{}`, `null`, `{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA","kid":"1"}]}`,
		`{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"1"}]}`,
		`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"1"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		set, err := parseKeys(text)
		for _, key := range set {
			if found, ok := set.find(key.KeyID, "ES256"); err != nil || ok && found == nil {
				t.Errorf("%v, %v", found, err)
			}
		}
	})
}
