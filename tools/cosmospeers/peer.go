package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

// peer is a server to measure.
type peer struct {
	name string
	args []string // {addr} and {port} stand for its address
	bare bool     // sends the same bytes in every response

	addr          string
	startTime     time.Duration // from its start to its first response
	postSignature string        // signature of a POST to the items
	cmd           *exec.Cmd
}

// start starts the server on a free port and waits until it responds.
func (p *peer) start() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.addr = listener.Addr().String()
	_ = listener.Close()
	_, port, _ := net.SplitHostPort(p.addr)
	var args []string
	for _, arg := range p.args {
		args = append(args, strings.NewReplacer("{addr}", p.addr, "{port}", port).Replace(arg))
	}
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return err
	}
	account := newRequest(p.addr, "GET", "/", "", "", "")
	for c := (&wire.Conn{Addr: p.addr}); time.Since(began) < time.Minute; time.Sleep(500 * time.Microsecond) {
		if status, _, err := c.Do(account); err == nil && status == http.StatusOK {
			p.startTime = time.Since(began)
			return nil
		}
	}
	p.stop()
	return fmt.Errorf("%s does not respond: %q", p.name, args)
}

func (p *peer) stop() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		p.cmd = nil
	}
}

// cpu returns the user and system CPU time of the server's process.
func (p *peer) cpu() time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// memory returns the resident memory of the server's process, in bytes.
func (p *peer) memory() float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(b), "VmRSS:")
	kib, _ := strconv.ParseFloat(append(strings.Fields(after), "0")[0], 64)
	return kib * 1024
}

// createContainer makes a container on the server.
func (p *peer) createContainer() error {
	p.postSignature = signature("POST", "docs", "dbs/db/colls/c")
	if p.bare {
		return nil
	}
	c := &wire.Conn{Addr: p.addr}
	defer c.Close()
	for _, r := range [][]byte{
		newRequest(p.addr, "POST", "/dbs", "dbs", "", `{"id":"db"}`),
		newRequest(p.addr, "POST", "/dbs/db/colls", "colls", "dbs/db",
			`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`),
	} {
		if status, body, err := c.Do(r); err != nil || status != http.StatusCreated {
			return fmt.Errorf("%s cannot create the container: %d %s %v", p.name, status, body, err)
		}
	}
	return nil
}

const bareCommand = "serve-bare"

// serveBare responds to every request with an item of 1 KB. It is the least that a server that reads the request can
// do.
func serveBare(addr string) error {
	response := []byte(item("x", "p0", 0))
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = w.Write(response)
	}))
}
