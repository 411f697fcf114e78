package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/tabletop-db/tabletop/features/targets"
)

// peer is a database that the emulator is compared with.
type peer struct {
	endpoint endpoint
	known    rules
	close    func()
}

// errNotInstalled reports a peer that is not on this machine.
var errNotInstalled = errors.New("not installed")

// openPeer starts a peer, or connects to it. The differences of every peer but Dynoxide are judged by the list of those
// of DynamoDB Local.
func (o *options) openPeer(ctx context.Context, name string) (*peer, error) {
	if name == "dynoxide" {
		return o.openDynoxide(ctx)
	}
	known, err := readRules("dynamodb-local")
	if err != nil {
		return nil, err
	}
	t, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &peer{endpoint{t.Endpoint}, known, func() { _ = t.Close() }}, nil
}

func open(ctx context.Context, target string) (*targets.Target, error) {
	spec, err := targets.Parse(target)
	if err != nil {
		return nil, err
	}
	return spec.Open(ctx, targets.Options{Logger: slog.Default()})
}
