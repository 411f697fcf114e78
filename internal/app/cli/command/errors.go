package command

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
)

// usageError is the error of a command that could not start as requested. Its exit status is 2.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

// Usagef returns a usage error: one line for the user, which names the remedy.
func Usagef(format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

// exitStatus returns the exit status of a process that ends with err.
func exitStatus(err error) int {
	var usage *usageError
	var stopped *stoppedError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &stopped):
		return 128 + stopped.by.number
	case errors.As(err, &usage):
		return 2
	default:
		return 1
	}
}

// OneLine returns the error's text with line breaks replaced by spaces and other control characters escaped.
func OneLine(err error) string {
	return string(escapeControls([]byte(strings.Join(strings.Fields(err.Error()), " "))))
}

// windowsAddressInUse is WSAEADDRINUSE, which package syscall does not map to EADDRINUSE.
const windowsAddressInUse = syscall.Errno(10048)

// ListenError returns the usage error for an address that cannot be listened on. flag is the flag that sets it.
func ListenError(err error, flag, addr string) error {
	var call *net.OpError
	switch {
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, windowsAddressInUse):
		return Usagef("address %s is already in use: stop the process that uses it, or use --%s 127.0.0.1:0", addr, flag)
	case errors.Is(err, syscall.EACCES):
		return Usagef("no permission to listen on address %s: use a port above 1023 for --%s", addr, flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return Usagef("address %s does not belong to this machine: use --%s 127.0.0.1:0", addr, flag)
	case errors.As(err, &call):
		err = call.Err
	}
	return Usagef("cannot listen on address %s (%v): use --%s HOST:PORT, such as 127.0.0.1:0", addr, err, flag)
}
