package cli

import (
	"context"
	"net"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/loopback"
)

// server serves on a listener until its context ends, then waits for the requests under way.
type server interface {
	Serve(ctx context.Context, l net.Listener) error
}

// runningServer is a server that runs in the background of a command.
type runningServer struct {
	url    string
	result chan error // receives the one result of Serve
	cancel context.CancelFunc
}

// serve starts s on addr. flag is the flag to change if the address cannot be used.
func serve(ctx context.Context, flag, addr string, s server) (*runningServer, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, command.ListenError(err, flag, addr)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	running := &runningServer{url: "http://" + loopback.ClientAddr(l.Addr()), result: make(chan error, 1), cancel: cancel}
	go func() { running.result <- s.Serve(ctx, l) }()
	return running, nil
}

// stop stops the server and returns the result of Serve. It must be called once, and not after a result was received
// from ended.
func (s *runningServer) stop() error {
	s.cancel()
	return <-s.result
}
