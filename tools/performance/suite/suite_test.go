package suite

import (
	"flag"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/tools/performance/floor"
	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
)

// TestMain runs as one of the servers if the arguments are theirs, because CPU is measured of other processes.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 3 && os.Args[1] == FloorDynamoDB:
		panic(floor.ServeDynamoDB(os.Args[2], ""))
	case len(os.Args) == 4 && os.Args[1] == FloorDynamoDB:
		panic(floor.ServeDynamoDB(os.Args[2], os.Args[3]))
	case len(os.Args) == 3 && os.Args[1] == FloorCosmosDB:
		panic(floor.ServeCosmosDB(os.Args[2]))
	case len(os.Args) > 1 && os.Args[1] == "--quiet":
		panic(runEmulator(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// runEmulator runs an emulator with the flags that server.Emulators gives to tabletop-emulator.
func runEmulator(args []string) error {
	flags := flag.NewFlagSet("emulator", flag.ContinueOnError)
	flags.Bool("quiet", false, "")
	dynamo, cosmos := flags.String("dynamodb-addr", "", ""), flags.String("cosmos-addr", "", "")
	data := flags.String("data", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	options := []emulator.Option{emulator.WithDynamoDBAddr(*dynamo)}
	if *cosmos != "" {
		options = append(options, emulator.WithCosmosAddr(*cosmos))
	}
	if *data != "" {
		options = append(options, emulator.WithData(*data))
	}
	if _, err := emulator.Start(options...); err != nil {
		return err
	}
	select {} // until it is killed
}

// TestRun measures two workloads with tiny windows, and checks that every part has figures.
func TestRun(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip(server.ErrUnsupported)
	}
	r, err := Run(Options{Binary: os.Args[0], Self: os.Args[0], Folder: t.TempDir(), Out: io.Discard, Starts: 1,
		Workloads: map[string]bool{"put": true, "cosmos-read": true}, Sizes: []int{100, 200},
		Plan: measure.Plan{Rounds: 1, Window: 20 * time.Millisecond, RateWindow: 20 * time.Millisecond, Connections: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]struct {
		results []measure.Result
		n       int
	}{"DynamoDB": {r.Memory, 2}, "Cosmos DB": {r.Cosmos, 2}, "in a folder": {r.Durable, 2},
		"100 items": {r.Sizes[0].Results, 4}} {
		if len(part.results) != part.n {
			t.Errorf("%s: %d results, not %d", name, len(part.results), part.n)
		}
		for _, result := range part.results {
			if result.Requests == 0 || result.CPU <= 0 || result.Errors > 0 || result.Problem != "" {
				t.Errorf("%s: %+v", name, result)
			}
		}
	}
	if len(r.Starts) != 4 || len(r.Sizes) != 2 || r.DiskSync <= 0 || r.Binary == 0 {
		t.Errorf("%d starts, %d sizes, sync of the disk %v, binary of %d bytes", len(r.Starts), len(r.Sizes), r.DiskSync,
			r.Binary)
	}
	if r.Sizes[1].Items != 200 || r.Sizes[1].ResidentBytes == 0 {
		t.Errorf("size %+v", r.Sizes[1])
	}
}

func TestRunNamesTheMissingProgram(t *testing.T) {
	t.Parallel()
	_, err := Run(Options{Binary: t.TempDir() + "/none", Out: io.Discard})
	if err == nil || !strings.Contains(err.Error(), "make emulator") {
		t.Errorf("error %v, which names no remedy", err)
	}
}
