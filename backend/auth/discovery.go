package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

const (
	wellKnown   = "/.well-known/openid-configuration" // OpenID Connect Discovery 1.0, section 4
	maxDocument = 1 << 20                             // bytes
)

// discovery holds the members of an issuer's configuration that are read or served here.
type discovery struct {
	Issuer     string   `json:"issuer"`
	KeysURL    string   `json:"jwks_uri"`
	TokenURL   string   `json:"token_endpoint,omitempty"`
	Algorithms []string `json:"id_token_signing_alg_values_supported,omitempty"`
	Responses  []string `json:"response_types_supported,omitempty"`
	Subjects   []string `json:"subject_types_supported,omitempty"`
}

// fetchKeys fetches the issuer's configuration and then its keys.
func (o *OIDC) fetchKeys(ctx context.Context) (keySet, error) {
	var found discovery
	text, err := o.get(ctx, strings.TrimSuffix(o.text, "/")+wellKnown)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("the configuration of %s is not JSON", o.text)
	}
	if found.Issuer != o.text { // Discovery 1.0, 4.3: otherwise one issuer could impersonate another
		return nil, fmt.Errorf("the configuration at %s is that of another issuer: give the issuer as it calls itself",
			o.text)
	}
	keys, err := url.Parse(found.KeysURL)
	if err != nil || !secure(keys) || secureOnlyHere(keys) && !secureOnlyHere(o.issuer) {
		return nil, fmt.Errorf("the keys of %s do not have an https URL", o.text)
	}
	if text, err = o.get(ctx, found.KeysURL); err != nil {
		return nil, err
	}
	set, err := parseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("the keys of %s are not a JWK set", o.text)
	}
	return set, nil
}

func (o *OIDC) get(ctx context.Context, at string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	answer, err := o.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s responded with %s", at, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	if err == nil && len(text) > maxDocument {
		err = fmt.Errorf("%s responded with more than %d bytes", at, maxDocument)
	}
	return text, err
}

// secure reports whether u is an https URL, or an http URL of this machine.
func secure(u *url.URL) bool { return u.Scheme == "https" || secureOnlyHere(u) }

func secureOnlyHere(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
