package store

import (
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// errNotAnswered reports that the disk has not completed an operation in time.
var errNotAnswered = errors.New("the disk has not answered for " + stallTime.String())

// A diskWorker runs operations on a file one after the other in a goroutine of its own, so that the caller can give up
// waiting. The goroutine is reused: a new one has to grow its stack each time, which took more CPU time than everything
// else that Tabletop does for a sync.
type diskWorker struct {
	operations chan func() error // closed to end the worker
	results    chan error
	timer      *time.Timer
}

// newDiskWorker starts a worker. It ends on stop, or when an operation ends that its caller gave up.
func newDiskWorker() *diskWorker {
	w := &diskWorker{operations: make(chan func() error, 1), results: make(chan error, 1), timer: time.NewTimer(stallTime)}
	go func() {
		for operation := range w.operations {
			w.results <- operation()
		}
	}()
	return w
}

// stop ends a worker after its current operation.
func (w *diskWorker) stop() {
	w.timer.Stop()
	close(w.operations)
}

// do runs an operation and returns its error. After stallTime it abandons the operation, with what it holds, and
// returns errNotAnswered; the worker must not be used again. After slowDisk it calls slow once.
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

// opened returns what open opens, as an operation of limited, which may abandon it. What is opened after that is
// closed.
func opened[T io.Closer](limited func(op, name string, run func() error) error, op, name string,
	open func() (T, error)) (T, error) {
	var ended atomic.Bool // it is open, or was given up
	var file T
	err := limited(op, name, func() (err error) {
		file, err = open()
		if err == nil && !ended.CompareAndSwap(false, true) {
			return file.Close()
		}
		return err
	})
	if err == nil {
		return file, nil
	}
	if !ended.CompareAndSwap(false, true) { // it was opened just now
		go file.Close()
	}
	var none T
	return none, err
}
