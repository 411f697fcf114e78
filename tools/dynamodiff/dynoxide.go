package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/features/targets"
)

// startTimeout is how long Dynoxide may take to start.
const startTimeout = 10 * time.Second

// openDynoxide starts the program dynoxide on a free port of this machine. Its data is in memory. Errors:
// errNotInstalled if the program is not found.
func (o *options) openDynoxide(ctx context.Context) (*peer, error) {
	program, err := exec.LookPath(o.dynoxide)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: cargo install dynoxide-rs, or name the program with -dynoxide", o.dynoxide,
			errNotInstalled)
	}
	known, err := readRules("dynoxide")
	if err != nil {
		return nil, err
	}
	port, err := targets.FreePort()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, program, "--host", "127.0.0.1", "--port", strconv.Itoa(port))
	if err := cmd.Start(); err != nil {
		stop()
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // it is killed at the end
	}()
	p := &peer{endpoint{"http://127.0.0.1:" + strconv.Itoa(port)}, known, func() { stop(); <-ended }}
	if err := p.endpoint.await(ended); err != nil {
		p.close()
		return nil, fmt.Errorf("%s --port %d: %w", program, port, err)
	}
	return p, nil
}

// await waits until the database answers, or its process has ended.
func (e endpoint) await(ended <-chan struct{}) error {
	timeout, tick := time.After(startTimeout), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for {
		_, err := e.send(request{"ListTables", object{}}, "")
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return errors.New("the program ended: run it to see why")
		case <-timeout:
			return err
		case <-tick.C:
		}
	}
}
