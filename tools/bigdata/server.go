package main

import (
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// openLimit is how long an emulator may take to open its folder.
const openLimit = 10 * time.Minute

// emulator is a running emulator on the folder.
type emulator struct {
	*server.Server
	addr string
}

// start starts an emulator on the folder, and returns it with the milliseconds until its first response.
func (b *bench) start() (*emulator, float64, error) {
	line := []string{b.program, "--quiet", "--dynamodb-addr", "127.0.0.1:{port}", "--data", "{data}", "--cosmos-addr", ""}
	if b.memory != "" {
		line = append(line, "--memory", b.memory)
	}
	p := &server.Program{Name: "the emulator", Service: workload.DynamoDB, Durable: line, StartTimeout: openLimit}
	s, err := p.StartIn(b.data)
	if err != nil {
		return nil, 0, err
	}
	return &emulator{s, s.Addr}, milliseconds(s.Start), nil
}

// cpu returns the CPU time in ms that the emulator has used.
func (s *emulator) cpu() float64 {
	used, err := s.CPU()
	if err != nil {
		return 0
	}
	return milliseconds(used)
}

// rss returns the emulator's resident memory in MiB.
func (s *emulator) rss() float64 { return mib(s.ResidentBytes()) }

// peakRSS returns the most resident memory in MiB that the emulator has had.
func (s *emulator) peakRSS() float64 { return mib(s.PeakResidentBytes()) }

func mib(bytes int64, err error) float64 {
	if err != nil {
		return 0
	}
	return round(float64(bytes) / (1 << 20))
}

func milliseconds(d time.Duration) float64 { return round(float64(d.Microseconds()) / 1000) }

// round rounds to one tenth.
func round(x float64) float64 { return float64(int64(x*10+0.5)) / 10 }
