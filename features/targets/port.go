package targets

import (
	"errors"
	"net"
)

// portTries is how many ports are tried: a program that cannot choose a free port itself gets one that was free, which
// another process may take before the program listens.
const portTries = 5

var errPortTaken = errors.New("another process has taken the port")

// onFreePort calls start with a port that is free, and again with another one while start returns errPortTaken.
func onFreePort(start func(port int) (*Target, error)) (t *Target, err error) {
	for range portTries {
		port, err := FreePort()
		if err != nil {
			return nil, err
		}
		t, err = start(port)
		if !errors.Is(err, errPortTaken) {
			return t, err
		}
	}
	return nil, errPortTaken
}

// FreePort returns a port of 127.0.0.1 that is free now.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
