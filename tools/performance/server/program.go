// Package server starts the servers that are measured, and reads how much CPU and memory their processes use.
package server

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// Program is how to start a server. In its command lines {port} is the port to listen on, and {data} an empty folder.
type Program struct {
	Name    string
	Service func() *workload.Service
	Dir     string   // where it runs; "": the current folder
	Memory  []string // command line with the data in memory
	Durable []string // command line with the data in a folder; nil: not measured
	Floor   bool     // sends the same bytes in every response, by net/http: the yardstick
	WarmUp  int      // rounds that it needs before its figures count; a Java virtual machine needs about five
	// StartTimeout is how long it may take to its first response; default a minute.
	StartTimeout time.Duration
}

// Server is a running program.
type Server struct {
	*workload.Client
	Program *Program
	Start   time.Duration // from its start to its first response

	cmd    *exec.Cmd
	ended  chan struct{} // closed when the process has ended
	result error         // of the process, when it has ended
}

const (
	startTimeout = time.Minute
	startPause   = time.Millisecond
	// portTries is how many ports are tried: a program gets one that was free, which another process may take before the
	// program listens.
	portTries = 5
)

var errPortTaken = errors.New("another process has taken the port")

// StartIn starts the program with its data in a folder, or in memory if data is "". It waits for the first response.
func (p *Program) StartIn(data string) (s *Server, err error) {
	for range portTries {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		s, err = p.startOn(port, data)
		if !errors.Is(err, errPortTaken) {
			return s, err
		}
	}
	return nil, fmt.Errorf("%s: %w", p.Name, errPortTaken)
}

// startOn starts the program on a port. Errors: errPortTaken, if another process has taken it.
func (p *Program) startOn(port, data string) (*Server, error) {
	line, replace := p.Memory, strings.NewReplacer("{port}", port, "{data}", data)
	if data != "" {
		line = p.Durable
	}
	args := make([]string, len(line))
	for i, arg := range line {
		args[i] = replace.Replace(arg)
	}
	s := &Server{Client: &workload.Client{Service: p.Service(), Addr: "127.0.0.1:" + port}, Program: p,
		ended: make(chan struct{})}
	s.cmd = exec.Command(args[0], args[1:]...)
	s.cmd.Dir, s.cmd.SysProcAttr = p.Dir, childAttributes()
	var stderr tail
	s.cmd.Stderr = &stderr
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.result = s.cmd.Wait()
		close(s.ended)
	}()
	conn := s.Conn()
	defer conn.Close()
	timeout := cmp.Or(p.StartTimeout, startTimeout)
	for time.Since(began) < timeout {
		select {
		case <-s.ended:
			if strings.Contains(strings.ToLower(string(stderr.text)), "address already in use") {
				return nil, errPortTaken
			}
			return nil, fmt.Errorf("%s ended before it responded: %q: %s", p.Name, args, stderr.text)
		case <-time.After(startPause):
		}
		if s.IsReady(conn) {
			s.Start = time.Since(began)
			return s, nil
		}
	}
	s.Stop()
	return nil, fmt.Errorf("%s does not respond within %v: %q: %s", p.Name, timeout, args, stderr.text)
}

// Stop kills the server, and waits for its end.
func (s *Server) Stop() {
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// Terminate stops the server as a user would, and waits for its end. Errors: it ended with another status than 0.
func (s *Server) Terminate() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	<-s.ended
	return s.result
}

// CPU returns the CPU time that the server's process has used, of all threads, user and system. Errors: not on Linux.
func (s *Server) CPU() (time.Duration, error) { return processCPU(s.cmd.Process.Pid) }

// ResidentBytes returns the resident memory of the server's process. Errors: not on Linux.
func (s *Server) ResidentBytes() (int64, error) { return residentBytes(s.cmd.Process.Pid, "VmRSS:") }

// PeakResidentBytes returns the most resident memory that the server's process has had. Errors: not on Linux.
func (s *Server) PeakResidentBytes() (int64, error) {
	return residentBytes(s.cmd.Process.Pid, "VmHWM:")
}

// ErrUnsupported is the error of measurements that need Linux.
var ErrUnsupported = errors.New("CPU and memory of another process can be measured on Linux only")

// freePort returns a port of the loopback address that nothing uses.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}

// tail keeps the last bytes that are written to it.
type tail struct{ text []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-1000):]
	return len(b), nil
}
