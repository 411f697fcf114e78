package emulatorcmd

import (
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// failureGrace and stopGrace limit how long a process continues after its data folder failed. For failureGrace it still
// responds to requests, with the cause of the failure. Then it has stopGrace to stop, and ends even if something is
// still running.
const (
	failureGrace = time.Second
	stopGrace    = 3 * time.Second
)

// UntilFailure runs a command on an emulator until the command ends or the emulator's data folder fails. After a
// failure it returns the failure without waiting for run to end. Damage to a single file leaves the rest readable, so
// the command then continues until the disk refuses a write too.
func UntilFailure(e dataFolder, run func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- run() }()
	select {
	case err := <-ended:
		return err
	case <-e.Failed():
	}
	for isDamage(e) {
		select {
		case err := <-ended:
			return err
		case <-time.After(failureGrace):
		}
	}
	select {
	case <-ended:
	case <-time.After(failureGrace):
	}
	return e.Err()
}

// dataFolder is an [emulator.Emulator], or a test's.
type dataFolder interface {
	Failed() <-chan struct{}
	Err() error
}

func isDamage(e dataFolder) bool {
	var failure *emulator.StorageError
	return errors.As(e.Err(), &failure) && failure.Damaged
}

// CloseAfter stops what a command has started. After a failure of the data folder it waits at most stopGrace and
// returns only the failure, because all other errors follow from it.
func CloseAfter(e *emulator.Emulator, err error, stop func() error) error {
	if e == nil || e.Err() == nil || isDamage(e) {
		return errors.Join(err, stop())
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	go func() {
		_ = stop()
		cancel()
	}()
	<-ctx.Done()
	return e.Err()
}
