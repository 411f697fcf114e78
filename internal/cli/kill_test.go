package cli

import (
	"bufio"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

const (
	// killRounds names the variable that says how often TestKillNineLosesNothing kills; CI says 100.
	killRounds = "TABLETOP_KILL_ROUNDS"
	// processArgs names the variable that makes TestProcess a process of tabletop.
	processArgs = "TABLETOP_TEST_PROCESS"

	killWriters = 8
)

// TestProcess is no test: the tests that kill a process run this one as it.
func TestProcess(t *testing.T) {
	args := os.Getenv(processArgs)
	if args == "" {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // ends with the test that started it, whatever becomes of that
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	status := Main(ctx, Process{
		Args: strings.Split(args, "\n"), Env: lookup(nil), Stdout: os.Stdout, Stderr: os.Stderr,
	})
	t.Logf("ended with status %d", status)
}

// TestKillNineLosesNothing kills the emulator with SIGKILL in the middle of writes, again and again, and holds after each
// restart that every acknowledged write is there, no transaction is half done and the index is equal to its table.
func TestKillNineLosesNothing(t *testing.T) {
	t.Parallel()
	rounds := 3
	if text := os.Getenv(killRounds); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s=%s: give a number", killRounds, text)
		}
		rounds = n
	}
	data, h := t.TempDir(), newHistory()
	chance := rand.New(rand.NewPCG(1, uint64(rounds)))
	for round := range rounds {
		p := startProcess(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--data", data)
		db := client(t, p.endpoint)
		if round == 0 {
			createKillTable(t, db)
		}
		h.verify(t, db)
		h.writeUntilKilled(t, db, p, 20+chance.IntN(200))
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	p := startProcess(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--data", data)
	h.verify(t, client(t, p.endpoint))
	p.kill(t)
	t.Logf("%d rounds, %d acknowledged writes, 0 lost", rounds, h.acknowledged)
}

// process is tabletop in a process of its own.
type process struct {
	cmd      *exec.Cmd
	endpoint string
	killed   sync.Once
}

// startProcess returns when the process has printed its address.
func startProcess(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], "-test.run=^TestProcess$")}
	p.cmd.Env = append(os.Environ(), processArgs+"="+strings.Join(args, "\n"))
	p.cmd.Stderr = os.Stderr
	if _, err := p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill(t) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://") {
		t.Fatalf("it printed %q, %v", line, err)
	}
	p.endpoint = strings.TrimSpace(line)
	return p
}

// kill sends SIGKILL and returns when the process is gone.
func (p *process) kill(t *testing.T) {
	p.killed.Do(func() {
		if err := p.cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = p.cmd.Wait() // the error is that it was killed
	})
}

// writeUntilKilled lets writers write until so many writes are acknowledged, and kills the process while they go on.
func (h *history) writeUntilKilled(t *testing.T, db *dynamodb.Client, p *process, enough int) {
	var writers sync.WaitGroup
	acks := make(chan struct{})
	for w := range killWriters {
		writers.Go(func() {
			for h.write(db, w) == nil {
				acks <- struct{}{}
			}
		})
	}
	go func() {
		writers.Wait()
		close(acks)
	}()
	n := 0
	for range acks {
		if n++; n == enough {
			p.kill(t)
		}
	}
	if n < enough {
		t.Errorf("the writers failed after %d writes, before the process was killed: %v", n, h.write(db, 0))
	}
}
