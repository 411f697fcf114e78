package http1

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"time"
)

// serve serves a configuration on a free port until the test ends. Fields that are not set get values that no test
// reaches.
func serve(t testing.TB, c Config) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := New(complete(c))
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return listener
}

func complete(c Config) Config {
	for _, timeout := range []*time.Duration{&c.HeaderTimeout, &c.BodyTimeout, &c.AnswerTimeout, &c.IdleTimeout} {
		if *timeout == 0 {
			*timeout = time.Hour
		}
	}
	if c.MaxIdle == 0 {
		c.MaxIdle = 1 << 20
	}
	if c.Other == nil {
		c.Other = other(c)
	}
	return c
}

// other returns a server of net/http with the same limits.
func other(c Config) *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{Protocols: &protocols, ReadHeaderTimeout: c.HeaderTimeout, ReadTimeout: c.BodyTimeout,
		WriteTimeout: c.AnswerTimeout, IdleTimeout: c.IdleTimeout, MaxHeaderBytes: 64 << 10}
}
