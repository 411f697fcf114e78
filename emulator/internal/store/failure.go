package store

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Failure is why a [Store] accepts no more writes until it is opened again. The first cause wins. Its text is one line.
type Failure struct {
	Op   string // what the disk refused, such as "sync"
	Path string // the file
	Err  error  // what the system said
	// Damaged reports that a file cannot be read as it was written. The disk still takes writes, so that the updates
	// under way end as usual; new ones are refused, because Pebble cannot merge the damaged file and would stall
	// writers for good.
	Damaged bool
	// FirstKey and LastKey bound the keys in a damaged file, where they are known.
	FirstKey, LastKey []byte
	// Holds are the names of what has keys between FirstKey and LastKey, as [Names] has them.
	Holds []string
}

// Error says what failed, on which file, what the system said, and what to do about it.
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

// Unwrap returns what the system said.
func (f *Failure) Unwrap() error { return f.Err }

// remedy is what to do when a disk has refused a write and the store has stopped.
func remedy(err error) string { return cure(err) + ", then start again" }

// cure is what to do about a disk that refuses a write.
func cure(err error) string {
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

// ReadError is a file of the store that the system could not read. Other files may still be readable.
type ReadError struct {
	Path string
	Err  error
}

// Error says which file cannot be read and why.
func (e *ReadError) Error() string {
	return fmt.Sprintf("cannot read %s (%v): check the disk, then try again", e.Path, e.Err)
}

// Unwrap returns what the system said.
func (e *ReadError) Unwrap() error { return e.Err }

// Unavailable returns what to tell a client whose request failed because of the disk, not of the request or the
// program.
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
