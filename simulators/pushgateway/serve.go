package pushgateway

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/quickstop"
	"github.com/tabletop-db/tabletop/internal/util/webguard"
)

// stopTimeout is how long requests in progress may take to finish.
const stopTimeout = 5 * time.Second

// Serve serves requests on listener until ctx ends, over HTTP/1.1 and HTTP/2, also without TLS. It returns nil after
// such a stop. It refuses foreign web pages, which must not read what phones received.
func (g *Gateway) Serve(ctx context.Context, listener net.Listener) error {
	guarded := webguard.Guard{TrustedHosts: g.cfg.TrustedHosts}.Wrap(g,
		func(w http.ResponseWriter, _ *http.Request, reason string) {
			writeProblem(w, http.StatusForbidden, reason)
		})
	server := &http.Server{
		Handler: guarded, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout:    5 * time.Minute,
		MaxHeaderBytes: 64 << 10, Protocols: Protocols(),
	}
	quickstop.Enable(server)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	shutdownCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(shutdownCtx); errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	} else if err != nil {
		return err
	}
	return nil
}

// Protocols returns the protocols that a gateway's http.Server must support.
func Protocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return p
}
