package testbinary

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore/processgroup"
)

// worker is a running worker process.
type worker struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	mark  string
	ready bool
	lines chan string // of standard output and standard error; closed at their end
	// exited is closed when the process has ended, and exitError is set; then nothing that it started is left either.
	exited    chan struct{}
	exitError error
}

// start starts a worker.
func start(c command) (*worker, error) {
	cmd := exec.Command(c.path, c.args...)
	cmd.Env = append(os.Environ(), WorkerVariable+"="+c.mark, CallVariable+"="+c.call)
	processgroup.Own(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	r, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		_, _ = r.Close(), out.Close()
		return nil, err
	}
	_ = out.Close() // the worker has its own
	w := &worker{cmd: cmd, stdin: stdin, mark: c.mark, lines: make(chan string, 64), exited: make(chan struct{})}
	go w.read(r)
	go w.wait()
	return w, nil
}

// wait waits until the process ends, and ends what it has left running: that would keep its output open.
func (w *worker) wait() {
	w.exitError = w.cmd.Wait()
	processgroup.End(w.cmd.Process.Pid)
	close(w.exited)
}

// read passes on the lines of the worker's output.
func (w *worker) read(r *os.File) {
	defer close(w.lines)
	defer func() { _ = r.Close() }()
	for in := bufio.NewReaderSize(r, 64<<10); ; {
		line, err := readLine(in)
		if line != "" {
			w.lines <- line
		}
		if err != nil {
			return
		}
	}
}

// exitTime is how long a process that has closed its output may take to end.
const exitTime = 10 * time.Second

// ended describes how the process ended.
func (w *worker) ended() string {
	select {
	case <-w.exited:
	case <-time.After(exitTime):
		w.kill()
	}
	if w.exitError != nil {
		return w.exitError.Error()
	}
	return "exit status 0"
}

// kill ends the process and what it started, and waits until it has ended.
func (w *worker) kill() {
	_ = w.stdin.Close()
	processgroup.End(w.cmd.Process.Pid)
	<-w.exited
	for range w.lines {
		// until the reader has ended
	}
}
