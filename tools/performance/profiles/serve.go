package profiles

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	profile "runtime/pprof"

	"github.com/tabletop-db/tabletop/emulator"
)

// ServeCommand is the name of the command that runs Serve in a process of its own: profiles of a process that also has
// the client would be mostly the client's.
const ServeCommand = "serve-profiled"

// allocationRate is how many allocated bytes have one sample on average.
const allocationRate = 32 << 10

// allocations are what the process has allocated since its start.
type allocations struct{ Bytes, Objects uint64 }

// Serve runs an emulator, with its profiles on a Unix socket: /cpu?seconds=N, /allocs and /allocations. Addresses of
// services that are not used have port 0. It returns when the socket fails.
func Serve(dynamoDB, cosmosDB, socket string) error {
	runtime.MemProfileRate = allocationRate
	e, err := emulator.Start(emulator.WithDynamoDBAddr(dynamoDB), emulator.WithCosmosAddr(cosmosDB))
	if err != nil {
		return err
	}
	defer e.Close()
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/cpu", pprof.Profile)
	mux.HandleFunc("/allocs", func(w http.ResponseWriter, _ *http.Request) {
		runtime.GC() // the profile has what was allocated until the last one
		_ = profile.Lookup("allocs").WriteTo(w, 0)
	})
	mux.HandleFunc("/allocations", func(w http.ResponseWriter, _ *http.Request) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		_ = json.NewEncoder(w).Encode(allocations{m.TotalAlloc, m.Mallocs})
	})
	return http.Serve(listener, mux)
}
