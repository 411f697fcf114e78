package emulator_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/util/heap"
)

// livenessRole makes this test binary run as a process of the liveness suite: the emulator, or the attackers of a case.
const livenessRole = "TABLETOP_LIVENESS_ROLE"

// playLivenessRole runs a role instead of the tests, and returns the exit status.
func playLivenessRole(role string) int {
	task := json.NewDecoder(os.Stdin)
	if role == "emulator" {
		return serveUntilSIGTERM(task)
	}
	return attackUntilStopped(task)
}

// figures are an emulator process's own figures after a garbage collection.
type figures struct {
	Heap     uint64 // bytes in use
	Routines int
	Held     int64 // bytes held by requests, by the emulator's count
}

// serveUntilSIGTERM runs an emulator that answers each line of its input with its figures.
func serveUntilSIGTERM(input *json.Decoder) int {
	var identities bool
	if err := input.Decode(&identities); err != nil {
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	heap.Tune() // as the command does
	opts := []emulator.Option{emulator.WithCosmosHTTPAddr("127.0.0.1:0")}
	if identities {
		opts = append(opts, emulator.WithIdentitiesFrom(strings.NewReader(people)))
	}
	e, err := emulator.Start(append(opts, console.Option())...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	output := json.NewEncoder(os.Stdout)
	_ = output.Encode(endpoints{DynamoDB: e.DynamoDBURL(), Cosmos: e.CosmosHTTPURL(), Identities: identities})
	go func() {
		var ask bool
		for input.Decode(&ask) == nil {
			debug.FreeOSMemory() // twice: pools keep their content for one collection
			debug.FreeOSMemory()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			_ = output.Encode(figures{Heap: m.HeapInuse, Routines: runtime.NumGoroutine(), Held: e.Held()})
		}
		stop() // the test has ended
	}()
	<-ctx.Done()
	if err := e.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// process is this test binary in a role of the suite. Its input and output are JSON.
type process struct {
	cmd    *exec.Cmd
	input  io.WriteCloser
	send   *json.Encoder
	answer *json.Decoder
	ended  chan struct{}
	status error // set once it has ended
}

// startRole starts a process, with the lowest priority if modest is set, and sends it its task.
func startRole(t *testing.T, role string, modest bool, task any) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	if nice, err := exec.LookPath("nice"); modest && err == nil {
		cmd = exec.Command(nice, "-n", "19", os.Args[0])
	}
	cmd.Env = append(os.Environ(), livenessRole+"="+role)
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = answers
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers.Close()
	p := &process{cmd: cmd, input: input, send: json.NewEncoder(input), answer: json.NewDecoder(output),
		ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		p.status = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-p.ended
		output.Close()
	})
	if err := p.send.Encode(task); err != nil {
		t.Fatal(err)
	}
	return p
}

// ask sends a value and reads the response.
func (p *process) ask(t *testing.T, question, answer any) {
	t.Helper()
	if err := p.send.Encode(question); err != nil {
		t.Fatal(err)
	}
	if err := p.answer.Decode(answer); err != nil {
		t.Fatalf("the process has not answered: %v", err)
	}
}

// endsWithin returns how long the process took to end after a signal, and whether that was within the limit.
func (p *process) endsWithin(signal os.Signal, limit time.Duration) (took time.Duration, ok bool) {
	began := time.Now()
	late := time.NewTimer(limit)
	defer late.Stop()
	_ = p.cmd.Process.Signal(signal)
	select {
	case <-p.ended:
		return time.Since(began), true
	case <-late.C:
		return time.Since(began), false
	}
}

// memory returns the process's resident memory in bytes, current or peak since forgetPeak, or 0 if the system does not
// report it.
func (p *process) memory(field string) uint64 {
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == field+":" {
			kilobytes, _ := strconv.ParseUint(fields[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// forgetPeak resets the peak memory to the current memory, if the system supports it.
func (p *process) forgetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}
