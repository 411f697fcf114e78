package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// openLimit is how long an emulator may take to open its folder.
const openLimit = 10 * time.Minute

// server is a running emulator.
type server struct {
	cmd  *exec.Cmd
	addr string
}

// start starts an emulator on the folder, and returns it with the milliseconds until its first response.
func (b *bench) start() (*server, float64, error) {
	port, err := freePort()
	if err != nil {
		return nil, 0, err
	}
	s := &server{addr: "127.0.0.1:" + port}
	args := []string{"--quiet", "--dynamodb-addr", s.addr, "--data", b.data, "--cosmos-addr", ""}
	if b.memory != "" {
		args = append(args, "--memory", b.memory)
	}
	s.cmd = exec.Command(b.program, args...)
	s.cmd.Stderr = os.Stderr
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, 0, err
	}
	for time.Since(began) < openLimit {
		c := newConn(s.addr)
		status, _, err := c.Do(workload.DynamoDBRequest(s.addr, "ListTables", "{}"))
		c.Close()
		if err == nil && status == 200 {
			return s, round(float64(time.Since(began).Microseconds()) / 1000), nil
		}
		time.Sleep(time.Millisecond)
	}
	s.kill()
	return nil, 0, fmt.Errorf("the emulator did not answer within %v", openLimit)
}

// freePort returns a port that is free now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// stop stops the emulator as a user would, and waits for its end.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return s.cmd.Wait()
}

// kill ends the emulator at once. It does nothing if the emulator has ended.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// cpu returns the CPU time in ms that the emulator has used.
func (s *server) cpu() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64) // numbers, as proc(5) says
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) * 10
}

// rss returns the emulator's resident memory in MiB.
func (s *server) rss() float64 { return s.status("VmRSS:") }

// peakRSS returns the most resident memory in MiB that the emulator has had.
func (s *server) peakRSS() float64 { return s.status("VmHWM:") }

func (s *server) status(field string) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)) // empty: 0
	_, after, _ := strings.Cut(string(text), field)
	kib, _ := strconv.ParseFloat(append(strings.Fields(after), "0")[0], 64)
	return round(kib / 1024)
}

// round rounds to one tenth.
func round(x float64) float64 { return float64(int64(x*10+0.5)) / 10 }
