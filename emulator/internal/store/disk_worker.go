package store

import (
	"errors"
	"time"
)

// errNotAnswered is the error of an operation that the disk has not ended within its time.
var errNotAnswered = errors.New("the disk has not answered for " + stallTime.String())

// A diskWorker runs operations on a file one after the other, in a goroutine of its own, so that who waits for one can
// give up. It is kept from operation to operation: a new goroutine has to grow its stack each time, which took more
// processor time than all else that Tabletop does for a sync.
type diskWorker struct {
	operations chan func() error // closed to end the worker
	results    chan error
	timer      *time.Timer
}

// newDiskWorker starts a worker. It ends by stop, or once the operation ends that its caller gave up.
func newDiskWorker() *diskWorker {
	w := &diskWorker{operations: make(chan func() error, 1), results: make(chan error, 1), timer: time.NewTimer(stallTime)}
	go func() {
		for operation := range w.operations {
			w.results <- operation()
		}
	}()
	return w
}

// stop ends a worker, after the operation that it is at.
func (w *diskWorker) stop() {
	w.timer.Stop()
	close(w.operations)
}

// do runs an operation and returns its error, or errNotAnswered after stallTime; then the operation is left behind,
// with what it holds, and the worker must not be used again. After slowDisk it calls slow once.
func (w *diskWorker) do(operation func() error, slow func()) error {
	w.timer.Reset(slowDisk)
	w.operations <- operation
	for limit := slowDisk; ; limit = stallTime {
		select {
		case err := <-w.results:
			return err
		case <-w.timer.C:
		}
		if limit == stallTime {
			return errNotAnswered
		}
		slow()
		w.timer.Reset(stallTime - slowDisk)
	}
}
