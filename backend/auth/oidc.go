package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// When the keys of an issuer are fetched again.
const (
	// after that, the next token refreshes the keys, so that a withdrawn key disappears
	refreshAfter = time.Hour
	maxKeyAge    = 24 * time.Hour // for so long, known keys remain in use while the issuer does not respond
	// minimum time between fetches because of an unknown key id: anyone can invent one
	unknownKeyInterval = time.Minute
	errorInterval      = 5 * time.Second  // minimum time between fetches while the issuer does not respond
	fetchTimeout       = 10 * time.Second // for the configuration and the keys together
)

// OIDC verifies the tokens of an OpenID Connect issuer. It finds the issuer's keys by discovery and caches them. It is
// safe for concurrent use.
type OIDC struct {
	issuerURL        *url.URL
	configuredIssuer string // the issuer as configured; iss must equal it exactly
	client           *http.Client
	now              func() time.Time
	parser           *jwt.Parser
	fetching         chan struct{} // held while fetching from the issuer
	cache            atomic.Pointer[keyCache]
}

// keyCache caches the issuer's keys.
type keyCache struct {
	keys        keySet
	fetchedAt   time.Time // time of the last successful fetch; zero when there was none
	attemptedAt time.Time // time of the last attempt
	failed      bool      // the last attempt failed
}

// NewOIDC returns a verifier for tokens of an issuer, such as https://login.example.com/realms/app, and an audience,
// the client or API that the tokens are for. The issuer must be https, except on this machine. NewOIDC sends no
// request: the first token does. A nil client is http.DefaultClient and a nil now is time.Now.
func NewOIDC(issuer, audience string, client *http.Client, now func() time.Time) (*OIDC, error) {
	parsed, err := url.Parse(issuer)
	if err != nil || parsed.Host == "" || parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil ||
		!isSecure(parsed) {
		return nil, fmt.Errorf(
			"auth: issuer %q is not an https URL: use one such as https://login.example.com (http only for this machine)",
			issuer)
	}
	if audience == "" {
		return nil, fmt.Errorf("auth: no audience for the tokens of %s: set the audience (aud) of its tokens", issuer)
	}
	if client == nil {
		client = http.DefaultClient
	}
	if now == nil {
		now = time.Now
	}
	o := &OIDC{
		issuerURL: parsed, configuredIssuer: issuer, client: client, now: now, parser: newParser(issuer, audience, now),
		fetching: make(chan struct{}, 1),
	}
	o.cache.Store(&keyCache{})
	return o, nil
}

// Verify verifies a token of the issuer.
func (o *OIDC) Verify(ctx context.Context, raw string) (Claims, error) {
	return verify(o.parser, raw, func(id, algorithm string) (any, error) { return o.key(ctx, id, algorithm) })
}

// key finds a key of the issuer. It fetches the keys when the cached ones are old or lack this one. During a fetch,
// requests whose key is known proceed, and others wait for its result.
func (o *OIDC) key(ctx context.Context, id, algorithm string) (any, error) {
	if c := o.cache.Load(); c.isUsable(o.now()) {
		if key, ok := c.keys.find(id, algorithm); ok && (!c.needsRefresh(o.now(), true) || len(o.fetching) > 0) {
			return key, nil
		}
	}
	select {
	case o.fetching <- struct{}{}:
		defer func() { <-o.fetching }()
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrKeysUnavailable, ctx.Err())
	}
	return o.keyAfterRefresh(ctx, id, algorithm)
}

func (o *OIDC) keyAfterRefresh(ctx context.Context, id, algorithm string) (any, error) {
	c, err := o.cache.Load(), error(nil)
	if _, known := c.keys.find(id, algorithm); c.needsRefresh(o.now(), known) {
		c, err = o.refresh(ctx, *c)
	}
	if !c.isUsable(o.now()) {
		return nil, errors.Join(ErrKeysUnavailable, err)
	}
	if key, ok := c.keys.find(id, algorithm); ok {
		return key, nil
	}
	return nil, ErrInvalidToken
}

// needsRefresh reports whether the keys are to be fetched now.
func (c *keyCache) needsRefresh(now time.Time, known bool) bool {
	since := now.Sub(c.attemptedAt)
	switch {
	case c.attemptedAt.IsZero():
		return true
	case c.failed:
		return since >= errorInterval
	case now.Sub(c.fetchedAt) >= refreshAfter:
		return true
	}
	return !known && since >= unknownKeyInterval
}

func (c *keyCache) isUsable(now time.Time) bool {
	return !c.fetchedAt.IsZero() && now.Sub(c.fetchedAt) < maxKeyAge
}

// refresh fetches the keys. It ignores the cancellation of ctx, because other requests wait for the result.
func (o *OIDC) refresh(ctx context.Context, c keyCache) (*keyCache, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	defer cancel()
	keys, err := o.fetchKeys(ctx)
	c.attemptedAt, c.failed = o.now(), err != nil
	if err == nil {
		c.keys, c.fetchedAt = keys, c.attemptedAt
	}
	o.cache.Store(&c)
	return &c, err
}
