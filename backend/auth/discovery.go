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
	var config discovery
	text, err := o.get(ctx, strings.TrimSuffix(o.configuredIssuer, "/")+wellKnown)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, fmt.Errorf("the configuration of %s is not JSON", o.configuredIssuer)
	}
	if config.Issuer != o.configuredIssuer { // Discovery 1.0, 4.3: otherwise one issuer could impersonate another
		return nil, fmt.Errorf("the configuration at %s belongs to another issuer: use the issuer that it names",
			o.configuredIssuer)
	}
	keys, err := url.Parse(config.KeysURL)
	if err != nil || !isSecure(keys) || isLoopbackHTTP(keys) && !isLoopbackHTTP(o.issuerURL) {
		return nil, fmt.Errorf("the keys of %s do not have an https URL", o.configuredIssuer)
	}
	if text, err = o.get(ctx, config.KeysURL); err != nil {
		return nil, err
	}
	set, err := parseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("the keys of %s are not a JWK set", o.configuredIssuer)
	}
	return set, nil
}

func (o *OIDC) get(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := o.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s responded with %s", address, response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxDocument+1))
	if err == nil && len(text) > maxDocument {
		err = fmt.Errorf("%s responded with more than %d bytes", address, maxDocument)
	}
	return text, err
}

// isSecure reports whether u is an https URL, or an http URL of this machine.
func isSecure(u *url.URL) bool { return u.Scheme == "https" || isLoopbackHTTP(u) }

func isLoopbackHTTP(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
