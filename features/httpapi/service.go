package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

// Service is a system in this process, and its last response.
type Service struct {
	Path      string          // path of the system, such as /kefir
	Transport *wire.Transport // between the callers and the service; drops responses on request
	Last      Response
	Responses []Response // responses to parallel requests

	Remembered Response // a response for a later step to compare with

	world  *steps.World
	client *http.Client
}

// New returns a service of the world that is not started yet. path is the system's, such as /kefir.
func New(w *steps.World, path string) *Service { return &Service{Path: path, world: w} }

// Start makes the handler serve all requests from now on, as after a restart.
func (s *Service) Start(h http.Handler) {
	t := &wire.Transport{Base: s.world.Trace.Wrap("api", wire.Handler(h))}
	s.Transport, s.client = t, &http.Client{Transport: t}
	s.world.OnClose(func(context.Context) error { return steps.CheckPending(t.PendingDrops(), "lost responses") })
}

// Credential adds a caller's credential to the headers of a request.
type Credential func(http.Header)

// Anonymous adds no credential.
func Anonymous(http.Header) {}

// Bearer returns a bearer token as a credential.
func Bearer(token string) Credential {
	return func(h http.Header) { h.Set("Authorization", "Bearer "+token) }
}

// Header returns a header, such as X-API-Key, as a credential. It can also add any other header.
func Header(name, value string) Credential {
	return func(h http.Header) { h.Set(name, value) }
}

// Combine combines credentials.
func Combine(all ...Credential) Credential {
	return func(h http.Header) {
		for _, c := range all {
			c(h)
		}
	}
}

// Send sends a request to the service. path is relative to the system's. A body is sent as JSON, a json.RawMessage or
// []byte unchanged, and nil as no body. Send does not change the world, so it can be called in parallel.
func (s *Service) Send(ctx context.Context, as Credential, method, path string, body any) Response {
	text, err := encode(body)
	if err != nil {
		return Response{Err: err}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://service"+s.Path+path, bytes.NewReader(text))
	if err != nil {
		return Response{Err: err}
	}
	if text != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	as(req.Header)
	res, err := s.client.Do(req)
	if err != nil {
		return Response{Err: err}
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(res.Body)
	return Response{Status: res.StatusCode, Header: res.Header, Body: got, Err: err}
}

func encode(body any) ([]byte, error) {
	switch body := body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return body, nil
	case json.RawMessage:
		return body, nil
	}
	return json.Marshal(body)
}

// SendStep sends a request as a step. Later steps refer to its response and to the calls that it made to the store.
// The scenario fails if the request is refused and no step examines the response, because it then proves too little.
func (s *Service) SendStep(ctx context.Context, as Credential, method, path string, body any) {
	s.world.Wire.Reset()
	s.Last = s.Send(ctx, as, method, path, body)
	s.Last.examined = new(atomic.Bool)
	last := s.Last
	s.world.OnClose(func(context.Context) error { return last.unexamined() })
}

// MustSend is like SendStep, but returns an error unless the request succeeds.
func (s *Service) MustSend(ctx context.Context, as Credential, method, path string, body any) error {
	s.SendStep(ctx, as, method, path, body)
	return s.Last.Succeeded()
}

// SendConcurrently sends n requests in parallel and keeps the responses in Responses, by number from 0.
func (s *Service) SendConcurrently(n int, send func(i int) Response) {
	s.world.Wire.Reset()
	s.Responses = make([]Response, n)
	ready := make(chan struct{})
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			<-ready
			s.Responses[i] = send(i)
		})
	}
	close(ready)
	callers.Wait()
}
