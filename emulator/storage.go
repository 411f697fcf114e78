package emulator

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DefaultMinFreeSpace is the free disk space in bytes that WithMinFreeSpace has unless it says otherwise: 64 MiB, about
// what the store may still have to write of what it has acknowledged.
const DefaultMinFreeSpace = 64 << 20

// WithMinFreeSpace sets how many bytes the disk of WithData's folder keeps free: below it, or below a tenth of a small
// disk, writes are refused until there is more, and reads go on. The default is DefaultMinFreeSpace; 0 turns it off.
func WithMinFreeSpace(bytes uint64) Option { return func(o *options) { o.minFree = bytes } }

// StorageError is why an emulator accepts no more writes: its data folder failed. Its text is one line, with the file,
// what the system said, and the remedy.
type StorageError struct {
	// Damaged reports that a file cannot be read as it was written. What lies elsewhere can still be read. Otherwise
	// the disk has refused a write, and the emulator should be closed.
	Damaged bool
	err     error
}

// Error returns the cause and the remedy.
func (e *StorageError) Error() string { return e.err.Error() }

// Unwrap returns the cause, which wraps what the system said, such as syscall.ENOSPC.
func (e *StorageError) Unwrap() error { return e.err }

// Failed returns a channel that is closed when the data folder fails. From then on every write is refused, and reads
// too unless everything that can be seen is on the disk. Opening the folder again brings back every acknowledged write.
func (e *Emulator) Failed() <-chan struct{} { return e.store.Failed() }

// Err returns the [*StorageError] for which Failed is closed, or nil.
func (e *Emulator) Err() error {
	err := e.store.Err()
	if err == nil {
		return nil
	}
	var failure *store.Failure
	return &StorageError{Damaged: errors.As(err, &failure) && failure.Damaged, err: err}
}

// health is the state of the data folder: what the admin API and health checks tell.
func (e *Emulator) health() control.Storage {
	space, watched := e.store.Space()
	h := control.Storage{Status: control.StorageOK, FreeBytes: space.Free, FloorBytes: space.Floor}
	switch err := e.Err(); {
	case err != nil:
		h.Status, h.Cause = control.StorageFailed, err.Error()
	case watched && space.Full:
		h.Status, h.Cause = control.StorageFull, "the disk is nearly full and writes are refused: free space on it, and writes go on"
	case watched && space.Low:
		h.Status, h.Cause = control.StorageLow, "the disk is nearly full: free space on it, or writes will be refused"
	}
	return h
}

// healthy answers for next, which tells all is well, unless writes are refused.
func (e *Emulator) healthy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := e.health(); h.Refuses() {
			http.Error(w, "unhealthy: "+h.Cause, http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}
