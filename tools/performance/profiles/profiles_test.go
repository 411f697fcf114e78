package profiles

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// TestMain runs as the profiled emulator if the arguments are Program's: the profiles come from another process.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == ServeCommand {
		if err := Serve(os.Args[2], os.Args[3], os.Args[4]); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// TestRunWritesTexts profiles one workload and reads its text.
func TestRunWritesTexts(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip(server.ErrUnsupported)
	}
	folder := t.TempDir()
	o := Options{Folder: folder, Workloads: map[string]bool{"get": true}, Duration: 1e9, Machine: "commit abc",
		Out: new(strings.Builder)}
	if err := Run(o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "get.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"go run ./tools/performance profiles -workloads get\ncommit abc\n", "CPU time\n",
		"Allocated memory\n", "flat%", "dynamo/data.GetItem", "net/http"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the text does not contain %q", want)
		}
	}
	if strings.Contains(string(text), "Time:") || strings.Contains(string(text), " \n") {
		t.Error("the text differs in each run")
	}
	if _, err := os.Stat(filepath.Join(folder, workload.DynamoDB().Workloads[0].Name+".txt")); err == nil {
		t.Error("a workload that was not selected was profiled")
	}
}
