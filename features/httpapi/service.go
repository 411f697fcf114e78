package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

// Service is a system in this process and the last that was heard of it.
type Service struct {
	Path    string          // the system's, such as /kefir
	Answers *wire.Transport // between callers and the service: it loses the answers that it is told to
	Last    Answer
	All     []Answer // of many callers at once

	Remembered Answer // that a sentence goes on to compare with

	world  *steps.World
	client *http.Client
}

// New is a service of the world that is not started yet; path is the system's, such as /kefir.
func New(w *steps.World, path string) *Service { return &Service{Path: path, world: w} }

// Start has the handler answer from now on, as after a restart.
func (s *Service) Start(h http.Handler) {
	s.Answers = &wire.Transport{Base: wire.Handler(h)}
	s.client = &http.Client{Transport: s.Answers}
}

// Credential puts what a caller shows into the headers of a request.
type Credential func(http.Header)

// Nobody shows nothing.
func Nobody(http.Header) {}

// Bearer shows a bearer token.
func Bearer(token string) Credential {
	return func(h http.Header) { h.Set("Authorization", "Bearer "+token) }
}

// Header shows a header, such as X-API-Key, or sends one besides.
func Header(name, value string) Credential {
	return func(h http.Header) { h.Set(name, value) }
}

// Both shows all of them.
func Both(all ...Credential) Credential {
	return func(h http.Header) {
		for _, c := range all {
			c(h)
		}
	}
}

// Send asks the service. The path goes on from the system's. A body is sent as JSON, a json.RawMessage or []byte as it
// is, nil not at all. It changes nothing in the world, so that many can send at once.
func (s *Service) Send(ctx context.Context, as Credential, method, path string, body any) Answer {
	text, err := encode(body)
	if err != nil {
		return Answer{Err: err}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://service"+s.Path+path, bytes.NewReader(text))
	if err != nil {
		return Answer{Err: err}
	}
	if text != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	as(req.Header)
	res, err := s.client.Do(req)
	if err != nil {
		return Answer{Err: err}
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(res.Body)
	return Answer{res.StatusCode, res.Header, got, err}
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

// Act is what a sentence does: sentences after it speak of its answer and of what the store was asked for by it.
func (s *Service) Act(ctx context.Context, as Credential, method, path string, body any) {
	s.world.Wire.Reset()
	s.Last = s.Send(ctx, as, method, path, body)
}

// Must is Act that has to succeed.
func (s *Service) Must(ctx context.Context, as Credential, method, path string, body any) error {
	s.Act(ctx, as, method, path, body)
	return s.Last.OK()
}

// AtOnce sends n requests together and keeps the answers in All, by their numbers from 0.
func (s *Service) AtOnce(n int, send func(i int) Answer) {
	s.world.Wire.Reset()
	s.All = make([]Answer, n)
	ready := make(chan struct{})
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			<-ready
			s.All[i] = send(i)
		})
	}
	close(ready)
	callers.Wait()
}
