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
	freshFor   = time.Hour        // after that, the next token refreshes the keys, so that a withdrawn key disappears
	usableFor  = 24 * time.Hour   // for so long, known keys remain in use while the issuer does not respond
	unknownKey = time.Minute      // minimum time between fetches because of an unknown key id: anyone can invent one
	afterError = 5 * time.Second  // minimum time between fetches while the issuer does not respond
	askTimeout = 10 * time.Second // for the configuration and the keys together
)

// OIDC verifies the tokens of an OpenID Connect issuer. It finds the issuer's keys by discovery and caches them. It is
// safe for concurrent use.
type OIDC struct {
	issuer *url.URL
	text   string // the issuer as configured; iss must equal it exactly
	client *http.Client
	now    func() time.Time
	parser *jwt.Parser
	turn   chan struct{} // held while fetching from the issuer
	cache  atomic.Pointer[cache]
}

// cache is what is known about the issuer's keys.
type cache struct {
	keys    keySet
	at      time.Time // time of the last successful fetch; zero when there was none
	asked   time.Time // time of the last attempt
	refused bool      // the last attempt failed
}

// NewOIDC returns a verifier for tokens of an issuer, such as https://login.example.com/realms/app, and an audience,
// the client or API that the tokens are for. The issuer must be https, except on this machine. NewOIDC sends no
// request: the first token does. A nil client is http.DefaultClient and a nil now is time.Now.
func NewOIDC(issuer, audience string, client *http.Client, now func() time.Time) (*OIDC, error) {
	at, err := url.Parse(issuer)
	if err != nil || at.Host == "" || at.RawQuery != "" || at.Fragment != "" || at.User != nil || !secure(at) {
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
		issuer: at, text: issuer, client: client, now: now, parser: newParser(issuer, audience, now),
		turn: make(chan struct{}, 1),
	}
	o.cache.Store(&cache{})
	return o, nil
}

// Verify verifies a token of the issuer.
func (o *OIDC) Verify(ctx context.Context, raw string) (Claims, error) {
	return verify(o.parser, raw, func(id, algorithm string) (any, error) { return o.key(ctx, id, algorithm) })
}

// key finds a key of the issuer. It fetches the keys when the cached ones are old or lack this one. During a fetch,
// requests whose key is known proceed, and others wait for its result.
func (o *OIDC) key(ctx context.Context, id, algorithm string) (any, error) {
	if c := o.cache.Load(); c.usable(o.now()) {
		if key, ok := c.keys.find(id, algorithm); ok && (!c.due(o.now(), true) || len(o.turn) > 0) {
			return key, nil
		}
	}
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrKeys, ctx.Err())
	}
	return o.keyInTurn(ctx, id, algorithm)
}

func (o *OIDC) keyInTurn(ctx context.Context, id, algorithm string) (any, error) {
	c, err := o.cache.Load(), error(nil)
	if _, known := c.keys.find(id, algorithm); c.due(o.now(), known) {
		c, err = o.renew(ctx, *c)
	}
	if !c.usable(o.now()) {
		return nil, errors.Join(ErrKeys, err)
	}
	if key, ok := c.keys.find(id, algorithm); ok {
		return key, nil
	}
	return nil, ErrToken
}

// due reports whether the keys are to be fetched now.
func (c *cache) due(now time.Time, known bool) bool {
	since := now.Sub(c.asked)
	switch {
	case c.asked.IsZero():
		return true
	case c.refused:
		return since >= afterError
	case now.Sub(c.at) >= freshFor:
		return true
	}
	return !known && since >= unknownKey
}

func (c *cache) usable(now time.Time) bool { return !c.at.IsZero() && now.Sub(c.at) < usableFor }

// renew fetches the keys. It ignores the cancellation of ctx, because other requests wait for the result.
func (o *OIDC) renew(ctx context.Context, c cache) (*cache, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
	defer cancel()
	keys, err := o.fetchKeys(ctx)
	c.asked, c.refused = o.now(), err != nil
	if err == nil {
		c.keys, c.at = keys, c.asked
	}
	o.cache.Store(&c)
	return &c, err
}
