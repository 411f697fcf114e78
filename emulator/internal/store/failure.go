package store

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Failure reports why a [Store] accepts no more writes until it is opened again. The first cause is kept, but a write
// that the disk refuses replaces damage. Its text is one line.
type Failure struct {
	Op   string // operation that the disk refused, such as "sync"
	Path string // the file
	Err  error  // the system's error
	// Damaged reports that a file does not have the content that was written. The disk still accepts writes, so that
	// the updates in progress end as usual. New ones are refused, because Pebble cannot compact the damaged file and
	// would stall writers for good.
	Damaged bool
	// FirstKey and LastKey bound the keys in a damaged file, if they are known.
	FirstKey, LastKey []byte
	// Holds names what has keys between FirstKey and LastKey, as [Names] has it.
	Holds []string
}

// Error returns what failed, on which file, the system's error, and the remedy.
func (f *Failure) Error() string {
	if !f.Damaged {
		return fmt.Sprintf("the store has stopped: cannot %s %s (%v): %s", f.Op, f.Path, f.Err, remedy(f.Err))
	}
	holds := ""
	if len(f.Holds) > 0 {
		holds = ", which may affect " + listed(f.Holds)
	}
	if f.FirstKey != nil {
		holds += fmt.Sprintf(", in keys from %x to %x", f.FirstKey, f.LastKey)
	}
	return fmt.Sprintf("the store accepts no writes: file %s is damaged%s (%v): "+
		"copy what can still be read, then restore the folder from a backup", f.Path, holds, f.Err)
}

// Unwrap returns the system's error.
func (f *Failure) Unwrap() error { return f.Err }

// remedy returns what to do when a disk has refused a write and the store has stopped.
func remedy(err error) string { return diskRemedy(err) + ", then start again" }

// diskRemedy returns what to do about a disk that refuses a write.
func diskRemedy(err error) string {
	switch {
	case vfs.IsNoSpaceError(err), errors.Is(err, syscall.EDQUOT):
		return "free space on its disk"
	case errors.Is(err, syscall.EFBIG):
		return "raise the limit on file sizes (ulimit -f)"
	case errors.Is(err, syscall.EROFS):
		return "make its file system writable"
	default:
		return "check the disk"
	}
}

// ReadError reports a file of the store that the system could not read. Other files may still be readable.
type ReadError struct {
	Path string
	Err  error
}

// Error returns which file cannot be read and why.
func (e *ReadError) Error() string {
	return fmt.Sprintf("cannot read %s (%v): check the disk, then try again", e.Path, e.Err)
}

// Unwrap returns the system's error.
func (e *ReadError) Unwrap() error { return e.Err }

// Unavailable returns the message for a client whose request failed because of the disk, not because of the request or
// the program.
func Unavailable(err error) (text string, ok bool) {
	var failure *Failure
	var full *SpaceError
	var unread *ReadError
	switch {
	case errors.As(err, &failure):
		return failure.Error(), true
	case errors.As(err, &full):
		return full.Error(), true
	case errors.As(err, &unread):
		return unread.Error(), true
	}
	return "", false
}
