package emulator

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DefaultMinFreeSpace is the default of WithMinFreeSpace in bytes: 64 MiB, about what the store may still have to write
// of acknowledged writes.
const DefaultMinFreeSpace = 64 << 20

// WithMinFreeSpace sets how many bytes to keep free on the disk of WithData's folder. Below that, or below a tenth of a
// small disk, writes are refused until space is freed, and reads continue. The default is DefaultMinFreeSpace; 0 turns
// the check off.
func WithMinFreeSpace(bytes uint64) Option { return func(o *options) { o.minFree = bytes } }

// StorageError reports why an emulator accepts no more writes: its data folder failed. Its text is one line, with the
// file, the system's error, and the remedy.
type StorageError struct {
	// Damaged reports that a file does not have the content that was written; other files can still be read. Otherwise
	// the disk has refused a write, and the emulator should be closed.
	Damaged bool
	err     error
}

// Error returns the cause and the remedy.
func (e *StorageError) Error() string { return e.err.Error() }

// Unwrap returns the cause, which wraps the system's error, such as syscall.ENOSPC.
func (e *StorageError) Unwrap() error { return e.err }

// Failed returns a channel that is closed when the data folder fails. From then on every write is refused, and so are
// reads unless everything visible is on disk. Opening the folder again brings back every acknowledged write.
func (e *Emulator) Failed() <-chan struct{} { return e.store.Failed() }

// Err returns a [*StorageError] once Failed is closed, or nil.
func (e *Emulator) Err() error {
	err := e.store.Err()
	if err == nil {
		return nil
	}
	var failure *store.Failure
	return &StorageError{Damaged: errors.As(err, &failure) && failure.Damaged, err: err}
}

// health returns the state of the data folder, for the admin API and health checks.
func (e *Emulator) health() control.Storage {
	space, watched := e.store.Space()
	h := control.Storage{Status: control.StorageOK, FreeBytes: space.Free, FloorBytes: space.Floor}
	switch err := e.Err(); {
	case err != nil:
		h.Status, h.Cause = control.StorageFailed, err.Error()
	case watched && space.Full:
		h.Status, h.Cause = control.StorageFull,
			"the disk is nearly full and writes are refused: free space on it, and writes resume"
	case watched && space.Low:
		h.Status, h.Cause = control.StorageLow, "the disk is nearly full: free space on it, or writes will be refused"
	}
	return h
}

// healthy responds to health checks with 503 while writes are refused, and passes all others to next, which reports
// health.
func (e *Emulator) healthy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := e.health(); h.RefusesWrites() {
			http.Error(w, "unhealthy: "+h.Cause, http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}
