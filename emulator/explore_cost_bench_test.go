package emulator_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"
)

// BenchmarkExploredRun measures a test that creates a table and writes ten items: 1,000 times with emulator.Run, and in
// an exploration of as many runs with one worker. It reports the time of an explored run as a multiple of that of the
// other ("ratio", required is less than 2). It takes seconds: use -benchtime=1x.
func BenchmarkExploredRun(b *testing.B) {
	var plain, explored time.Duration
	for range b.N {
		plain += perRun(b, runsPlain)
		explored += perRun(b, "writes ten")
	}
	b.ReportMetric(float64(plain.Nanoseconds())/float64(b.N), "plain-ns/run")
	b.ReportMetric(float64(explored.Nanoseconds())/float64(b.N), "explored-ns/run")
	b.ReportMetric(float64(explored)/float64(plain), "ratio")
}

var runsIn = regexp.MustCompile(`(\d+) runs in (\S+)`)

// perRun returns the time of a run of a program, which it starts.
func perRun(b *testing.B, program string) time.Duration {
	b.Helper()
	output, passed := exploredOutput(b, program, "GOMAXPROCS=1")
	m := runsIn.FindStringSubmatch(output)
	if !passed || m == nil {
		b.Fatalf("%s: %s", program, output)
	}
	var n int
	if _, err := fmt.Sscan(m[1], &n); err != nil {
		b.Fatal(err)
	}
	took, err := time.ParseDuration(m[2])
	if err != nil {
		b.Fatal(err)
	}
	return took / time.Duration(n)
}
