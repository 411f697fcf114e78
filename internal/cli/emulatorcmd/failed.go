package emulatorcmd

import (
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// How long a process goes on after its data folder failed: it tells the cause to whoever asks for the first while, and
// ends after the second whatever still runs.
const (
	tellFailure = time.Second
	endAfter    = 3 * time.Second
)

// UntilFailure runs a command on an emulator until it ends, or the emulator's data folder fails: then it returns the
// failure, without waiting for run. Damage to a file leaves the rest readable, so the command goes on.
func UntilFailure(e *emulator.Emulator, run func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- run() }()
	select {
	case err := <-ended:
		return err
	case <-e.Failed():
	}
	if damaged(e) {
		return <-ended
	}
	select {
	case <-ended:
	case <-time.After(tellFailure):
	}
	return e.Err()
}

func damaged(e *emulator.Emulator) bool {
	var failure *emulator.StorageError
	return errors.As(e.Err(), &failure) && failure.Damaged
}

// CloseAfter ends what a command has started. After a failure of the data folder it does not wait long, and err is what
// the command says: the rest follows from it.
func CloseAfter(e *emulator.Emulator, err error, stop func() error) error {
	if e == nil || e.Err() == nil || damaged(e) {
		return errors.Join(err, stop())
	}
	ctx, cancel := context.WithTimeout(context.Background(), endAfter)
	go func() {
		_ = stop()
		cancel()
	}()
	<-ctx.Done()
	return e.Err()
}
