package emulatorcmd

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// failingFolder is a data folder with a failure.
type failingFolder struct {
	failed  chan struct{}
	failure atomic.Pointer[emulator.StorageError]
}

// Failed implements dataFolder.
func (f *failingFolder) Failed() <-chan struct{} { return f.failed }

// Err implements dataFolder.
func (f *failingFolder) Err() error { return f.failure.Load() }

// TestARefusedWriteAfterDamageEndsTheCommand damages a file, which the command survives, and then lets the disk refuse
// an update that was in progress.
func TestARefusedWriteAfterDamageEndsTheCommand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		folder, stop := &failingFolder{failed: make(chan struct{})}, make(chan struct{})
		defer close(stop)
		folder.failure.Store(&emulator.StorageError{Damaged: true})
		close(folder.failed)
		ended := make(chan error, 1)
		go func() { ended <- UntilFailure(folder, func() error { <-stop; return nil }) }()
		elapse := func() { <-time.After(time.Hour); synctest.Wait() }
		elapse()
		select {
		case err := <-ended:
			t.Fatalf("after damage the command ended with %v", err)
		default:
		}
		refusal := &emulator.StorageError{}
		folder.failure.Store(refusal)
		elapse()
		select {
		case err := <-ended:
			if err != refusal {
				t.Errorf("the command ended with %v, want the refused write", err)
			}
		default:
			t.Error("after a refused write the command goes on")
		}
	})
}
