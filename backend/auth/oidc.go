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

// When the keys of an issuer are asked for again.
const (
	freshFor   = time.Hour        // then the next token has them renewed, so that a key that is withdrawn goes
	usableFor  = 24 * time.Hour   // while the issuer does not answer, known keys are used for so long
	unknownKey = time.Minute      // at most so often because of a key id that is not known: anyone can make one up
	afterError = 5 * time.Second  // at most so often while the issuer does not answer
	askTimeout = 10 * time.Second // for both of the issuer's documents
)

// OIDC verifies the tokens of an OpenID Connect issuer, whose keys it finds by discovery and keeps. It is safe for
// concurrent use.
type OIDC struct {
	issuer *url.URL
	text   string // the issuer as it is configured: iss is compared with it to the letter
	client *http.Client
	now    func() time.Time
	parser *jwt.Parser
	turn   chan struct{} // held by whoever asks the issuer
	cache  atomic.Pointer[cache]
}

// cache is what is known of the issuer's keys.
type cache struct {
	keys    keySet
	at      time.Time // when keys were had; zero when never
	asked   time.Time // when they were last asked for
	refused bool      // the last time failed
}

// NewOIDC makes the verifier of an issuer, such as https://login.example.com/realms/app, and an audience, which is the
// client or API that tokens are for. It asks the issuer for nothing before the first token. http.DefaultClient is used
// when client is nil and time.Now when now is nil. The issuer has to be https, except on this machine.
func NewOIDC(issuer, audience string, client *http.Client, now func() time.Time) (*OIDC, error) {
	at, err := url.Parse(issuer)
	if err != nil || at.Host == "" || at.RawQuery != "" || at.Fragment != "" || at.User != nil || !secure(at) {
		return nil, fmt.Errorf("auth: issuer %q: give its URL, such as https://login.example.com (http is for this machine alone)", issuer)
	}
	if audience == "" {
		return nil, fmt.Errorf("auth: no audience for the tokens of %s: give the one that they are made for", issuer)
	}
	if client == nil {
		client = http.DefaultClient
	}
	if now == nil {
		now = time.Now
	}
	o := &OIDC{
		issuer: at, text: issuer, client: client, now: now, parser: newParser(issuer, audience, now), turn: make(chan struct{}, 1),
	}
	o.cache.Store(&cache{})
	return o, nil
}

// Verify reads a token of the issuer.
func (o *OIDC) Verify(ctx context.Context, raw string) (Claims, error) {
	return verify(o.parser, raw, func(id, algorithm string) (any, error) { return o.key(ctx, id, algorithm) })
}

// key finds a key of the issuer, asking for its keys where those that are known are old or lack it. Of requests that
// come meanwhile those whose key is known go on, and the others wait for that one answer.
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

// due says whether the issuer is to be asked now.
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

// renew asks the issuer. The first asker's leaving does not take the answer from those who wait for it.
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
