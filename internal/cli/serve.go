package cli

import (
	"context"
	"net"

	"github.com/tabletop-db/tabletop/internal/cli/command"
	"github.com/tabletop-db/tabletop/internal/loopback"
)

// server answers on a listener until its context ends, then lets the requests under way finish.
type server interface {
	Serve(ctx context.Context, l net.Listener) error
}

// served is a server that runs beside a command.
type served struct {
	url   string
	ended chan error // gets the one result of Serve
	quit  context.CancelFunc
}

// serve starts s on addr; flag is the one to change when the address cannot be had.
func serve(ctx context.Context, flag, addr string, s server) (*served, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, command.ListenError(err, flag, addr)
	}
	ctx, quit := context.WithCancel(context.WithoutCancel(ctx))
	running := &served{url: "http://" + loopback.Reachable(l.Addr()), ended: make(chan error, 1), quit: quit}
	go func() { running.ended <- s.Serve(ctx, l) }()
	return running, nil
}

// stop returns how serving ended. It must be called once, and not after a result was taken from ended.
func (s *served) stop() error {
	s.quit()
	return <-s.ended
}
