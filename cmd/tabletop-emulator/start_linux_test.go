package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// idleAfter is how long after its first response an emulator is idle: it has closed the connection and collected its
// garbage.
const idleAfter = 3 * time.Second

// BenchmarkStart starts the emulator of both programs, built as make builds them, until ListTables is answered. It
// reports medians of the time and of the CPU time until then, the size of the program, and the resident memory of the
// idle process: all of it, and the part that is not the program's own file. For comparison, libraries is a program that
// only links the libraries that every emulator needs.
func BenchmarkStart(b *testing.B) {
	b.Run("libraries", func(b *testing.B) { measureStarts(b, build(b, "./cmd/tabletop-emulator/testdata/libraries")) })
	b.Run("tabletop-emulator", func(b *testing.B) { measureStarts(b, build(b, "./cmd/tabletop-emulator")) })
	b.Run("tabletop", func(b *testing.B) { measureStarts(b, build(b, "."), "emulator") })
}

// build returns a program, as a copy: how the kernel maps a file depends on the sizes in which it was written, which
// the linker varies.
func build(b *testing.B, source string) (path string) {
	path = filepath.Join(b.TempDir(), "program")
	cmd := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path+".linked", source)
	cmd.Dir, cmd.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.CommandContext(b.Context(), "cp", path+".linked", path).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return path
}

func measureStarts(b *testing.B, path string, command ...string) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	var elapsed, busy []time.Duration
	for b.Loop() {
		began := time.Now()
		process := startEmulator(b, path, command)
		elapsed = append(elapsed, time.Since(began))
		busy = append(busy, cpuTime(b, process.Pid))
		kill(b, process)
	}
	b.ReportMetric(0, "ns/op") // includes the end of the process
	b.ReportMetric(milliseconds(median(elapsed)), "ms-to-answer")
	b.ReportMetric(milliseconds(median(busy)), "cpu-ms-to-answer")
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB-program")
	process := startEmulator(b, path, command)
	_ = pause.For(b.Context(), idleAfter)
	b.ReportMetric(memory(b, process.Pid, "VmRSS"), "MiB-idle")
	b.ReportMetric(memory(b, process.Pid, "RssAnon"), "MiB-idle-anonymous")
	kill(b, process)
}

// startLimit ends a program that does not print its address, or does not answer.
const startLimit = time.Minute

// startEmulator starts a program on free ports and returns it when it lists its tables.
func startEmulator(b *testing.B, path string, command []string) *os.Process {
	cmd := exec.CommandContext(b.Context(), path, append(command, "--quiet", "--dynamodb-addr", "127.0.0.1:0",
		"--cosmos-addr", "127.0.0.1:0")...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	overdue := time.AfterFunc(startLimit, func() { _ = cmd.Process.Kill() })
	defer overdue.Stop()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		b.Fatal("the program has ended without an address, or has not printed one in a minute")
	}
	for began := time.Now(); !listsTables(lines.Text()); _ = pause.For(b.Context(), time.Millisecond) {
		if time.Since(began) > startLimit {
			b.Fatalf("%s does not list tables", lines.Text())
		}
	}
	return cmd.Process
}

func kill(b *testing.B, process *os.Process) {
	if err := process.Kill(); err != nil {
		b.Fatal(err)
	}
	if _, err := process.Wait(); err != nil {
		b.Fatal(err)
	}
}

// listsTables reports whether a new connection's ListTables succeeds.
func listsTables(url string) bool {
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		return false
	}
	request.Close = true
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	request.Header.Set("X-Amz-Date", "20260101T000000Z")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=host;x-amz-date, Signature=00")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == http.StatusOK
}

// cpuTime returns the time that the threads of a process have run.
func cpuTime(b *testing.B, pid int) time.Duration {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		b.Fatal(err)
	}
	sum := time.Duration(0)
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // the thread has ended
		}
		nanoseconds, _, _ := strings.Cut(string(text), " ")
		n, err := strconv.ParseInt(nanoseconds, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(n)
	}
	return sum
}

// memory returns a size in /proc/PID/status, in MiB.
func memory(b *testing.B, pid int, name string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name+":" {
			kilobytes, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kilobytes / 1024
		}
	}
	b.Fatalf("process %d has no %s", pid, name)
	return 0
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
