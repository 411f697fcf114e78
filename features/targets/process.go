package targets

import (
	"os/exec"
	"runtime"

	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

// process is a child process that must not outlive this one.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when the child has ended and was waited for
	out   textlog.Log   // both streams
}

func startProcess(name string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(name, args...), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	killWithParent(p.cmd)
	started := make(chan error)
	go p.run(started)
	return p, <-started
}

// run keeps its thread for the child's whole lifetime: on Linux the child is killed when the thread that started it
// ends.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.ended)
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- nil
	// How it ended does not matter: its user sends it requests and notices, and stop kills it.
	_ = p.cmd.Wait()
}

// stop kills the child and returns when it has ended. There is nothing to save: its data is in memory.
func (p *process) stop() error {
	// The only possible error is that it has already ended.
	_ = p.cmd.Process.Kill()
	<-p.ended
	return nil
}
