// Package suite measures everything that the performance page shows.
package suite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// Emulator is the name of this project's emulator in results.
const Emulator = "tabletop"

// Options are what to measure. All fields are required unless their comment says otherwise.
type Options struct {
	Binary    string // of tabletop-emulator
	Self      string // the program with the commands FloorCommands
	Folder    string // on the disk to measure; files in it are deleted at the end
	Peers     bool   // also measure those that are found
	Workloads map[string]bool
	Plan      measure.Plan
	Starts    int   // starts of each server
	Sizes     []int // items of the tables by whose size figures are measured
	Out       io.Writer
}

// FloorCommands are the commands of the tool that run a bare handler for a service, on the address that follows.
// DynamoDB's keeps writes in a folder, if one follows.
const (
	FloorDynamoDB = "serve-dynamodb-floor"
	FloorCosmosDB = "serve-cosmosdb-floor"
)

// Results are all figures.
type Results struct {
	Duration time.Duration
	Plan     measure.Plan
	Binary   int64 // bytes
	Memory   []measure.Result
	Cosmos   []measure.Result
	Durable  []measure.Result
	DiskSync time.Duration // to write 4 KiB and sync them, without any server
	Starts   []Start
	Sizes    []Size
	Missing  []server.Peer
	Broken   []string // why servers were left out
}

// Start is how long a server takes from its start to its first response.
type Start struct {
	Server, Service      string
	Median, Lowest, Most time.Duration
}

// Size is the figures of a server with a table of many items.
type Size struct {
	Server        string
	Items         int
	ResidentBytes int64
	Fill          float64 // items per second, in batches
	Results       []measure.Result
}

// Run measures. Errors: the emulator cannot be measured. Peers that cannot are left out.
func Run(o Options) (*Results, error) {
	began := time.Now()
	r := &Results{Plan: o.Plan}
	info, err := os.Stat(o.Binary)
	if err != nil {
		return nil, fmt.Errorf("%w; build it with make emulator", err)
	}
	r.Binary = info.Size()
	dynamo, cosmos := o.programs(r)
	for _, part := range []struct {
		name    string
		measure func() error
	}{
		{"start", func() error { return o.starts(r, append(slices.Clone(dynamo), cosmos...)) }},
		{"DynamoDB", func() (err error) { r.Memory, err = o.service(r, dynamo, false); return err }},
		{"Cosmos DB", func() (err error) { r.Cosmos, err = o.service(r, cosmos, false); return err }},
		{"data in a folder", func() (err error) { r.Durable, err = o.service(r, dynamo, true); return err }},
		{"disk", func() (err error) { r.DiskSync, err = diskSync(o.Folder); return err }},
		{"sizes", func() error { return o.sizes(r, dynamo) }},
	} {
		fmt.Fprintf(o.Out, "%4.0f s  %s\n", time.Since(began).Seconds(), part.name)
		if err := part.measure(); err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	r.Duration = time.Since(began)
	return r, nil
}

// programs returns the servers of each service: the floor first, then the emulator, then the peers.
func (o Options) programs(r *Results) (dynamo, cosmos []*server.Program) {
	emulators := server.Emulators(Emulator, o.Binary)
	dynamo = []*server.Program{{Name: "floor", Floor: true, Service: workload.DynamoDB,
		Memory:  []string{o.Self, FloorDynamoDB, "127.0.0.1:{port}"},
		Durable: []string{o.Self, FloorDynamoDB, "127.0.0.1:{port}", "{data}"}}, emulators[0]}
	cosmos = []*server.Program{{Name: "floor", Floor: true, Service: workload.CosmosDB,
		Memory: []string{o.Self, FloorCosmosDB, "127.0.0.1:{port}"}}, emulators[1]}
	var found []*server.Program
	if found, r.Missing = server.FindPeers(); !o.Peers {
		found = nil
	}
	for _, p := range found {
		if p.Service().Name == dynamo[0].Service().Name {
			dynamo = append(dynamo, p)
		} else {
			cosmos = append(cosmos, p)
		}
	}
	return dynamo, cosmos
}

// starts measures how long the servers take to start.
func (o Options) starts(r *Results, programs []*server.Program) error {
	times := make([][]time.Duration, len(programs))
	for range o.Starts {
		for i, p := range programs {
			s, err := p.StartIn("")
			if err != nil && p.Name == Emulator {
				return err
			}
			if err != nil {
				continue // reported when its workloads are measured
			}
			s.Stop()
			times[i] = append(times[i], s.Start)
		}
	}
	for i, p := range programs {
		if len(times[i]) > 0 {
			r.Starts = append(r.Starts, Start{Server: p.Name, Service: p.Service().Name, Median: measure.Median(times[i]),
				Lowest: slices.Min(times[i]), Most: slices.Max(times[i])})
		}
	}
	return nil
}

// service measures the workloads of one service.
func (o Options) service(r *Results, programs []*server.Program, durable bool) ([]measure.Result, error) {
	var servers []*server.Server
	defer func() {
		for _, s := range servers {
			s.Stop()
		}
	}()
	for _, p := range programs {
		if durable && p.Durable == nil {
			continue
		}
		s, err := o.start(p, durable)
		if err != nil && (p.Name == Emulator || p.Floor) {
			return nil, err
		}
		if err != nil {
			r.Broken = append(r.Broken, err.Error())
			continue
		}
		servers = append(servers, s)
	}
	if len(servers[0].Service.Find(o.Workloads)) == 0 {
		return nil, nil
	}
	return measure.Interleave(servers, o.Workloads, durable, o.Plan)
}

// start starts a server and makes its tables.
func (o Options) start(p *server.Program, durable bool) (*server.Server, error) {
	folder := ""
	if durable {
		var err error
		if folder, err = os.MkdirTemp(o.Folder, "data-"); err != nil {
			return nil, err
		}
	}
	s, err := p.StartIn(folder)
	if err != nil || p.Floor {
		return s, err
	}
	if err := s.SetUp(); err != nil {
		s.Stop()
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return s, nil
}

// diskSync returns the median time to append 4 KiB to a file and sync it.
func diskSync(folder string) (median time.Duration, err error) {
	const repetitions = 100
	file, err := os.Create(filepath.Join(folder, "sync"))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var times []time.Duration
	for range repetitions {
		began := time.Now()
		if _, err := file.Write(make([]byte, 4096)); err != nil {
			return 0, err
		}
		if err := file.Sync(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(began))
	}
	return measure.Median(times), nil
}
