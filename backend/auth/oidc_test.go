package auth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// provider is an issuer on a real socket whose keys and responses a test changes.
type provider struct {
	*Issuer
	server  *httptest.Server
	clock   atomic.Int64 // seconds since start
	fetches atomic.Int64 // how often its keys were fetched
	down    atomic.Bool
	config  func(*discovery)
	keys    atomic.Pointer[[]byte]
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{Issuer: newIssuer(t), config: func(*discovery) {}}
	p.publish(t)
	mux := http.NewServeMux()
	p.server = httptest.NewServer(mux)
	t.Cleanup(p.server.Close)
	p.URL = p.server.URL + "/auth"
	mux.HandleFunc("GET /auth"+wellKnown, func(w http.ResponseWriter, _ *http.Request) {
		found := discovery{Issuer: p.URL, KeysURL: p.URL + "/keys"}
		p.config(&found)
		writeJSON(w, http.StatusOK, "application/json", found)
	})
	mux.HandleFunc("GET /auth/keys", func(w http.ResponseWriter, _ *http.Request) {
		p.fetches.Add(1)
		if p.down.Load() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(*p.keys.Load())
	})
	return p
}

func (p *provider) publish(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"keys": []any{map[string]string{"kty": "FUTURE", "kid": "x"},
		p.Issuer.keys[0]}})
	if err != nil {
		t.Fatal(err)
	}
	p.keys.Store(&text)
}

// rotate gives the issuer a new key and returns the issuer with the old one.
func (p *provider) rotate(t *testing.T) *Issuer {
	t.Helper()
	old, fresh := p.Issuer, newIssuer(t)
	fresh.URL, p.Issuer = old.URL, fresh
	p.publish(t)
	return old
}

func (p *provider) now() time.Time { return start().Add(time.Duration(p.clock.Load()) * time.Second) }

func (p *provider) verifier(t *testing.T) *OIDC {
	t.Helper()
	v, err := NewOIDC(p.URL, Audience, p.server.Client(), p.now)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func longLived(f *forged) { f.claims["exp"] = start().Add(100 * time.Hour).Unix() }

func TestOIDCVerifiesByPublishedKeys(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	v := p.verifier(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, err := v.Verify(t.Context(), p.forge(t, longLived)); err != nil || got.Subject != "ana" {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	all.Wait()
	if n := p.fetches.Load(); n != 1 {
		t.Errorf("the keys were asked for %d times for 20 tokens at once", n)
	}
	wantInvalid(t, "of another issuer", v, newIssuer(t).forge(t, longLived))
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	v := p.verifier(t)
	first := p.forge(t, longLived)
	wantValid(t, v, first)
	p.rotate(t)
	second := p.forge(t, longLived)
	wantInvalid(t, "a new key within the minute", v, second)
	if n := p.fetches.Load(); n != 1 {
		t.Errorf("an unknown key had the issuer asked %d times within a minute", n)
	}
	p.clock.Add(60)
	wantValid(t, v, second)
	wantInvalid(t, "the key that was withdrawn", v, first)
	p.rotate(t)
	p.clock.Add(3600)
	wantInvalid(t, "a key that was withdrawn an hour ago", v, second)
	if n := p.fetches.Load(); n != 3 {
		t.Errorf("the keys were asked for %d times, not 3", n)
	}
}

func TestIssuerDoesNotRespond(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	p.down.Store(true)
	v := p.verifier(t)
	raw := p.forge(t, longLived)
	for range 3 {
		if _, err := v.Verify(t.Context(), raw); !errors.Is(err, ErrKeysUnavailable) {
			t.Errorf("without keys: %v", err)
		}
	}
	if n := p.fetches.Load(); n != 1 {
		t.Errorf("it was asked %d times within five seconds", n)
	}
	p.down.Store(false)
	p.clock.Add(5)
	wantValid(t, v, raw)
	p.down.Store(true)
	p.clock.Add(2 * 3600)
	wantValid(t, v, raw) // with the cached keys
	p.clock.Add(23 * 3600)
	if _, err := v.Verify(t.Context(), raw); !errors.Is(err, ErrKeysUnavailable) {
		t.Errorf("with keys of a day ago: %v", err)
	}
}

func TestInvalidConfigurationIsRejected(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*discovery){
		"of another issuer":  func(d *discovery) { d.Issuer += "/" },
		"keys in the open":   func(d *discovery) { d.KeysURL = "http://keys.example.com/jwks.json" },
		"keys nowhere":       func(d *discovery) { d.KeysURL = "" },
		"keys in a file":     func(d *discovery) { d.KeysURL = "file:///etc/passwd" },
		"keys that are none": func(d *discovery) { d.KeysURL = d.Issuer + wellKnown + "/none" },
	} {
		p := newProvider(t)
		p.config = change
		if _, err := p.verifier(t).Verify(t.Context(), p.forge(t, longLived)); !errors.Is(err, ErrKeysUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBadSignatureFetchesNoKeys checks that a wrong signature under a known key id causes no fetch: anyone can send
// one.
func TestBadSignatureFetchesNoKeys(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	v := p.verifier(t)
	wantValid(t, v, p.forge(t, longLived))
	other := newIssuer(t)
	p.clock.Add(120)
	for range 3 {
		wantInvalid(t, "signed by another key", v, p.forge(t, func(f *forged) { longLived(f); f.key = other.private }))
	}
	if n := p.fetches.Load(); n != 1 {
		t.Errorf("the keys were asked for %d times", n)
	}
}

// TestMalformedKeyIsIgnored checks that the other keys of the set remain usable.
func TestMalformedKeyIsIgnored(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	text, err := json.Marshal(map[string]any{"keys": []any{
		map[string]string{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "damaged"}, p.Issuer.keys[0],
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.keys.Store(&text)
	wantValid(t, p.verifier(t), p.forge(t, longLived))
}

// TestOversizedKeySetIsRejected checks that a key set is refused when whitespace makes it one byte too long.
func TestOversizedKeySetIsRejected(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	valid := *p.keys.Load()
	for length, taken := range map[int]bool{maxDocument: true, maxDocument + 1: false} {
		text := append(slices.Clone(valid), bytes.Repeat([]byte(" "), length-len(valid))...)
		p.keys.Store(&text)
		if _, err := p.verifier(t).Verify(t.Context(), p.forge(t, longLived)); (err == nil) != taken || err != nil &&
			!errors.Is(err, ErrKeysUnavailable) {
			t.Errorf("%d bytes: %v", length, err)
		}
	}
}

func TestIssuerRequiresHTTPS(t *testing.T) {
	t.Parallel()
	for url, valid := range map[string]bool{
		"https://login.example.com": true, "https://login.example.com/realms/a": true, "http://127.0.0.1:8080/auth": true,
		"http://localhost/auth": true, "http://[::1]:1/": true,
		"http://login.example.com": false, "login.example.com": false, "": false, "https://": false, "ftp://localhost": false,
		"https://a.example?x=1": false, "https://a.example#x": false, "https://u:p@a.example": false,
		"http://localhost.example.com": false,
	} {
		if _, err := NewOIDC(url, Audience, nil, nil); (err == nil) != valid {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := NewOIDC("https://login.example.com", "", nil, nil); err == nil {
		t.Error("no audience is taken")
	}
}

func wantValid(t *testing.T, v Verifier, raw string) {
	t.Helper()
	if _, err := v.Verify(t.Context(), raw); err != nil {
		t.Error(fmt.Errorf("a good token: %w", err))
	}
}
