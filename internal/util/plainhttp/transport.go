// Package plainhttp sends requests by HTTP/1.1 without TLS, for less CPU time than net/http. The goroutine that sends a
// request also writes it and reads its response, where net/http wakes two more goroutines per connection. This suits
// load generators, and databases on the same machine.
package plainhttp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

// Transport is an [http.RoundTripper] for requests to http URLs. Everything else goes through Base: https, proxies, and
// the headers Expect and Upgrade. It does not ask for compressed responses, never repeats a request, and ignores
// [net/http/httptrace]. It writes a request to its end before it reads the response, so a server that does not read a
// large request, and yet sends a large response, would wait for it until the timeout. It is safe for concurrent use.
type Transport struct {
	Base *http.Transport // also has the proxies; required

	// Timeout is the maximum time from the request to the end of its response's body; 0: none but the request's context.
	Timeout time.Duration

	// Idle is the maximum number of idle connections to one host; further ones are closed.
	Idle int

	mu      sync.Mutex
	idle    map[string][]*conn // by host and port, the last used last
	proxied map[string]bool    // by host and port: requests go through a proxy of Base
}

// idleLimit is how long an idle connection is kept, less than a server keeps it.
const idleLimit = 15 * time.Second

// dialTimeout limits how long a connection takes to open.
const dialTimeout = 30 * time.Second

// Do is RoundTrip, for the AWS SDK: it makes the transport an aws.HTTPClient, which follows no redirects.
func (t *Transport) Do(r *http.Request) (*http.Response, error) { return t.RoundTrip(r) }

// RoundTrip sends a request. If its response's body is closed before its end, so is the connection. Errors: the
// context's cause or error, if it ended; the network's, which like those of net/http contain addresses.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	plain, err := t.plain(r)
	if err != nil {
		closeBody(r)
		return nil, err
	}
	if !plain {
		return t.viaBase(r)
	}
	c, err := t.connect(r.Context(), hostPort(r.URL))
	if err != nil {
		closeBody(r)
		return nil, ended(r.Context(), err)
	}
	return c.roundTrip(r, t.Timeout)
}

// viaBase sends a request through Base, with the same timeout.
func (t *Transport) viaBase(r *http.Request) (*http.Response, error) {
	if t.Timeout == 0 {
		return t.Base.RoundTrip(r)
	}
	ctx, cancel := context.WithTimeout(r.Context(), t.Timeout)
	res, err := t.Base.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	res.Body = cancelingBody{res.Body, cancel}
	return res, nil
}

// CloseIdleConnections closes the connections that no request uses.
func (t *Transport) CloseIdleConnections() {
	t.mu.Lock()
	idle := t.idle
	t.idle = nil
	t.mu.Unlock()
	for _, list := range idle {
		for _, c := range list {
			_ = c.Close()
		}
	}
	t.Base.CloseIdleConnections()
}

// plain reports whether the transport itself sends a request.
func (t *Transport) plain(r *http.Request) (bool, error) {
	if r.URL.Scheme != "http" || r.URL.Host == "" || r.Header["Expect"] != nil || r.Header["Upgrade"] != nil {
		return false, nil
	}
	t.mu.Lock()
	proxied, known := t.proxied[r.URL.Host]
	t.mu.Unlock()
	if known || t.Base.Proxy == nil {
		return !proxied, nil
	}
	proxy, err := t.Base.Proxy(r)
	if err != nil {
		return false, fmt.Errorf("cannot choose a proxy: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.proxied == nil {
		t.proxied = map[string]bool{}
	}
	t.proxied[r.URL.Host] = proxy != nil
	return proxy == nil, nil
}

func hostPort(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	return net.JoinHostPort(u.Hostname(), "80")
}

// connect returns an idle connection that the server has not closed, or a new one.
func (t *Transport) connect(ctx context.Context, address string) (*conn, error) {
	for c := t.takeIdle(address); c != nil; c = t.takeIdle(address) {
		if time.Since(c.used) < idleLimit && alive(c.Conn) {
			return c, nil
		}
		_ = c.Close()
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	network, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return newConn(t, address, network), nil
}

// takeIdle returns the idle connection that was used last, or nil if there is none.
func (t *Transport) takeIdle(address string) *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.idle[address]
	if len(list) == 0 {
		return nil
	}
	c := list[len(list)-1]
	list[len(list)-1] = nil
	t.idle[address] = list[:len(list)-1]
	return c
}

// putIdle keeps a connection for the next request.
func (t *Transport) putIdle(c *conn) {
	c.used = time.Now()
	if err := c.SetDeadline(time.Time{}); err != nil { // alive would fail after it
		_ = c.Close()
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.idle[c.address]) >= t.Idle {
		_ = c.Close()
		return
	}
	if t.idle == nil {
		t.idle = map[string][]*conn{}
	}
	t.idle[c.address] = append(t.idle[c.address], c)
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// errTimeout is the error of a request whose response took longer than Transport.Timeout.
var errTimeout = fmt.Errorf("no response within the timeout: %w", os.ErrDeadlineExceeded)

// ended returns the context's error if that is why err occurred, and errTimeout if the time was over. The connection
// may notice the context's deadline before the context does.
func ended(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return err
	}
	if deadline, limited := ctx.Deadline(); limited && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return errTimeout
}
