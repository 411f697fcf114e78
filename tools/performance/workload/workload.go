// Package workload has the requests that servers are measured with: which tables they need, what each request is, and
// what a correct response is.
package workload

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

// Workload is a mix of requests, taken with equal chance.
type Workload struct {
	Name        string
	Connections int  // 0: as many as the caller chooses
	Rate        int  // requests per second whatever the server does (open loop); 0: each after the previous response
	Durable     bool // also measured with the data in a folder
	Batch       int  // number of requests that take roughly 0.1 s of one core

	Status    int // of a correct response
	MinLength int // of the body of a correct response, in bytes

	// requests returns the requests in wire format, with slots.
	requests func(host string) [][]byte
	limits   map[byte]uint32
	check    func(body []byte) error // of one response per kind of request, before any measurement
}

// Service is what a server emulates.
type Service struct {
	Name      string
	TLS       bool
	Workloads []*Workload

	ready func(host string) []byte
	setUp func(*Client) error
	reset func(*Client) error
}

// Client sends a service's requests to one server.
type Client struct {
	Service *Service
	Addr    string // host and port

	unused atomic.Uint32
}

// Conn returns a new connection to the server.
func (c *Client) Conn() *wire.Conn { return &wire.Conn{Addr: c.Addr, TLS: c.Service.TLS} }

// IsReady reports whether the server responds to a request that reads no item.
func (c *Client) IsReady(conn *wire.Conn) bool {
	status, _, err := conn.Do(c.Service.ready(c.Addr))
	return err == nil && status == 200
}

// SetUp makes the tables of all workloads, and the items that they read.
func (c *Client) SetUp() error { return c.Service.setUp(c) }

// Reset empties the table that workloads add items to.
func (c *Client) Reset() error { return c.Service.reset(c) }

// Generators returns a generator of a workload's requests for each of n connections. Equal seeds give equal requests.
func (c *Client) Generators(w *Workload, n int, seed uint64) []*wire.Generator {
	var templates []wire.Template
	for _, r := range w.requests(c.Addr) {
		templates = append(templates, wire.NewTemplate(r))
	}
	all := make([]*wire.Generator, n)
	for i := range all {
		all[i] = wire.NewGenerator(templates, w.limits, &c.unused, seed<<16+uint64(i))
	}
	return all
}

// maxVerified limits how many kinds of requests are verified: a workload may have one request per item.
const maxVerified = 4

// Verify sends one request of each kind. Errors: a response that is not correct.
func (c *Client) Verify(w *Workload) error {
	conn := c.Conn()
	defer conn.Close()
	requests := w.requests(c.Addr)
	for _, r := range requests[:min(len(requests), maxVerified)] {
		one := wire.NewGenerator([]wire.Template{wire.NewTemplate(r)}, w.limits, &c.unused, 1)
		status, body, err := conn.Do(one.Request())
		if err == nil {
			err = w.Acceptable(status, body)
		}
		if err == nil {
			err = w.check(body)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

// Acceptable checks the status and the length of a response, which is cheap enough for every response.
func (w *Workload) Acceptable(status int, body []byte) error {
	if status != w.Status || len(body) < w.MinLength {
		return fmt.Errorf("status %d, not %d, with %d bytes, at least %d: %.160s", status, w.Status, len(body), w.MinLength,
			body)
	}
	return nil
}

// Find returns the workloads with these names, in the service's order; all of them if names is empty.
func (s *Service) Find(names map[string]bool) []*Workload {
	var found []*Workload
	for _, w := range s.Workloads {
		if len(names) == 0 || names[w.Name] {
			found = append(found, w)
		}
	}
	return found
}

// Select adds the names of a list, separated by commas, to those to find. Errors: no service has a workload of a name.
func Select(names map[string]bool, list string) error {
	var known []string
	for _, s := range []*Service{DynamoDB(), CosmosDB()} {
		for _, w := range s.Workloads {
			known = append(known, w.Name)
		}
	}
	for _, name := range strings.Split(list, ",") {
		switch {
		case name == "":
		case !slices.Contains(known, name):
			return fmt.Errorf("unknown workload %q; use %s", name, strings.Join(known, ", "))
		default:
			names[name] = true
		}
	}
	return nil
}

// call sends one request on a new connection. Errors: any status but want.
func (c *Client) call(request []byte, want int) ([]byte, error) {
	conn := c.Conn()
	defer conn.Close()
	status, body, err := conn.Do(request)
	if err == nil && status != want {
		err = fmt.Errorf("status %d, not %d: %.300s", status, want, body)
	}
	return body, err
}

func digits(n int) string { return fmt.Sprintf("%010d", uint32(n)) }

func accept([]byte) error { return nil }
