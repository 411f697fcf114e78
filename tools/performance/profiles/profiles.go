// Package profiles writes what the emulator does for each workload: the functions that take the most CPU time, and
// those that allocate the most memory, as text.
package profiles

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// Options are what to profile. All fields are required unless their comment says otherwise.
type Options struct {
	Folder    string          // the texts are written to FOLDER/WORKLOAD.txt
	Workloads map[string]bool // only these; empty: all at no fixed rate
	Duration  time.Duration   // of a profile of CPU time; one of allocations takes a second
	Machine   string          // what the figures depend on: the commit, the processor
	Binary    bool            // also write the profiles of CPU time, to FOLDER/WORKLOAD.pprof, for go tool pprof
	Out       io.Writer
}

const (
	connections = 16
	functions   = "40" // listed per profile
)

// Run profiles the emulator, a workload at a time.
func Run(o Options) error {
	temporary, err := os.MkdirTemp("", "profiles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := os.MkdirAll(o.Folder, 0o755); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	const used, unused = "127.0.0.1:{port}", "127.0.0.1:0"
	for i, p := range []*server.Program{
		{Name: "emulator", Service: workload.DynamoDB, Memory: []string{self, ServeCommand, used, unused}},
		{Name: "emulator", Service: workload.CosmosDB, Memory: []string{self, ServeCommand, unused, used}},
	} {
		socket := filepath.Join(temporary, fmt.Sprint(i))
		p.Memory = append(p.Memory, socket)
		if err := o.profileService(p, socket, temporary); err != nil {
			return err
		}
	}
	return nil
}

func (o Options) profileService(p *server.Program, socket, temporary string) error {
	s, err := p.StartIn("")
	if err != nil {
		return err
	}
	defer s.Stop()
	if err := s.SetUp(); err != nil {
		return err
	}
	one := profiler{Options: o, server: s, socket: socketClient(socket), folder: temporary}
	for _, w := range s.Service.Find(o.Workloads) {
		if w.Rate > 0 {
			continue
		}
		if err := one.profile(w); err != nil {
			return fmt.Errorf("profile of %s: %w", w.Name, err)
		}
	}
	return nil
}

// profiler profiles the workloads of one server.
type profiler struct {
	Options
	server *server.Server
	socket *http.Client
	folder string // of binary profiles
}

func socketClient(socket string) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
}

// profile writes the text of one workload.
func (p profiler) profile(w *workload.Workload) error {
	if err := p.server.Reset(); err != nil {
		return err
	}
	if err := p.server.Verify(w); err != nil {
		return err
	}
	file := func(name string) string { return filepath.Join(p.folder, name) }
	cpu, before, after := file("cpu"), file("before"), file("after")
	if p.Binary {
		cpu = filepath.Join(p.Folder, w.Name+".pprof")
	}
	window, err := p.whileLoaded(w, p.Duration, func() error {
		return p.fetch(fmt.Sprintf("/cpu?seconds=%d", int(p.Duration.Seconds())), cpu)
	})
	if err != nil {
		return err
	}
	allocated, err := p.allocationsOf(w, before, after)
	if err != nil {
		return err
	}
	time, err := top(cpu)
	if err != nil {
		return err
	}
	memory, err := top("-sample_index=alloc_space", "-base="+before, after)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("go run ./tools/performance profiles -workloads %s\n%s\n\nPer request: %.1f µs of CPU, %d bytes in "+
		"%.0f allocations\n\nCPU time\n\n%s\nAllocated memory\n\n%s", w.Name, p.Machine,
		float64(window.PerRequest().Nanoseconds())/1000, int64(allocated.bytes), allocated.objects, time, memory)
	fmt.Fprintf(p.Out, "%s\n", filepath.Join(p.Folder, w.Name+".txt"))
	return os.WriteFile(filepath.Join(p.Folder, w.Name+".txt"), []byte(text), 0o644)
}

// whileLoaded runs a function while the server gets requests, for a duration and a little longer.
func (p profiler) whileLoaded(w *workload.Workload, d time.Duration, run func() error) (window *measure.Window,
	err error) {
	const longer = 200 * time.Millisecond
	var both errgroup.Group
	both.Go(func() (err error) {
		window, err = measure.Run(p.server, w, measure.Load{Connections: connections, Duration: d + longer})
		return err
	})
	both.Go(run)
	if err := both.Wait(); err != nil {
		return nil, err
	}
	if window.Errors > 0 {
		return nil, fmt.Errorf("%d wrong responses: %s", window.Errors, window.FirstError)
	}
	return window, nil
}

// perRequest is what the server allocates for a request.
type perRequest struct{ bytes, objects float64 }

// allocationsOf fetches the profiles of allocated memory before and after a load.
func (p profiler) allocationsOf(w *workload.Workload, before, after string) (perRequest, error) {
	if err := p.fetch("/allocs", before); err != nil {
		return perRequest{}, err
	}
	from, err := p.allocations()
	if err != nil {
		return perRequest{}, err
	}
	window, err := p.whileLoaded(w, time.Second, func() error { return nil })
	if err != nil {
		return perRequest{}, err
	}
	to, err := p.allocations()
	if err != nil {
		return perRequest{}, err
	}
	n := float64(window.Requests)
	return perRequest{float64(to.Bytes-from.Bytes) / n, float64(to.Objects-from.Objects) / n}, p.fetch("/allocs", after)
}

func (p profiler) allocations() (a allocations, err error) {
	response, err := p.socket.Get("http://profiles/allocations")
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	return a, json.NewDecoder(response.Body).Decode(&a)
}

// fetch saves what the server has at a path.
func (p profiler) fetch(path, file string) error {
	response, err := p.socket.Get("http://profiles" + path)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, response.Status, body)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}

// top returns the first functions of a profile as text. args are flags and files of pprof.
func top(args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"tool", "pprof", "-top", "-nodecount=" + functions, "-symbolize=none"},
		args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go tool pprof: %w: %s", err, stderr.String())
	}
	return withoutRun(string(out)), nil
}

// withoutRun leaves out the lines that differ in each run, and spaces at the end of lines.
func withoutRun(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, ":")
		if name != "File" && name != "Build ID" && name != "Type" && name != "Time" {
			b.WriteString(strings.TrimRight(line, " \n") + "\n")
		}
	}
	return b.String()
}
