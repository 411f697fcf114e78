package lint

import (
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tabletop-db/tabletop/"

// A wall forbids the packages under one folder to import those under others.
type wall struct {
	from   string
	mayNot []string // folders of this module, or whole import paths of others
}

// walls keep dependencies pointing one way: cli to everything, emulator to its services, these to the store, the store to
// the clock. What speaks to a target over the wire never reaches into the emulator.
func walls() []wall {
	clients := []string{"backend", "features", "loadtest", "simulators"}
	outside := append([]string{"internal/cli"}, clients...)
	languages := append([]string{"emulator/internal/store", "emulator/internal/clock", "net/http"}, outside...)
	models := []string{"emulator/internal/dynamo", "emulator/internal/cosmos", "net/http"}
	return append(cosmosWalls(), []wall{
		{"emulator", outside},
		{"emulator/internal/clock", []string{"emulator/internal/store", "emulator/internal/dynamo", "emulator/internal/cosmos"}},
		{"emulator/internal/budget", append([]string{"emulator/internal/clock", "emulator/internal/store"}, models...)},
		{"emulator/internal/store", []string{"emulator/internal/dynamo", "emulator/internal/cosmos", "net/http"}},
		{"emulator/internal/capacity", append([]string{"emulator/internal/store"}, models...)},
		{"emulator/internal/changelog", models},
		{"emulator/internal/expiry", models},
		{"emulator/internal/lag", models},
		{"emulator/internal/faults", append([]string{"emulator/internal/store"}, models...)},
		{"internal/iam", append([]string{"emulator"}, models...)},
		{"internal/cost", append([]string{"emulator"}, models...)},
		{"emulator/internal/dynamo", []string{"emulator/internal/cosmos"}},
		{"emulator/internal/cosmos", []string{"emulator/internal/dynamo"}},
		{"emulator/internal/dynamo/item", append([]string{"emulator/internal/dynamo/expr"}, languages...)},
		{"emulator/internal/dynamo/expr", languages},
		{"emulator/internal/dynamo/partiql", languages},
		{"emulator/internal/cosmos/doc", append([]string{"emulator/internal/cosmos/sql"}, languages...)},
		{"emulator/internal/cosmos/sql", languages},
		{"emulator/internal/cosmos/script", append([]string{"emulator/internal/cosmos/sql"}, languages...)},
		{"backend", []string{"emulator/internal", "features", "loadtest", "simulators", "internal/cli"}},
		{"features", []string{"emulator/internal", "loadtest", "internal/cli"}},
		{"loadtest", []string{"emulator/internal", "internal/cli"}},
		{"loadtest/profile", []string{"loadtest/result", "loadtest/usage", "loadtest/verdict", "loadtest/traffic", "loadtest/report"}},
		{"loadtest/result", []string{"loadtest/usage", "loadtest/verdict", "loadtest/traffic", "loadtest/report"}},
		{"loadtest/usage", []string{"loadtest/verdict", "loadtest/traffic", "loadtest/report"}},
		{"loadtest/verdict", []string{"loadtest/usage", "loadtest/traffic", "loadtest/report"}},
		{"loadtest/traffic", []string{"loadtest/report"}},
		{"simulators", []string{"emulator/internal", "features", "loadtest", "internal/cli"}},
	}...)
}

// cosmosWalls keep the packages of Cosmos DB in order, the lowest first: each may import only those before it.
func cosmosWalls() []wall {
	const service = "emulator/internal/cosmos/"
	order := []string{"wire", "continuation", "throughput", "index", "engine", "operation", "auth", "query", "scripts", "items", "resources"}
	var all []wall
	for i, name := range order {
		w := wall{from: service + name}
		for _, above := range order[i+1:] {
			w.mayNot = append(w.mayNot, service+above)
		}
		all = append(all, w)
	}
	return all
}

func TestWallsBetweenPackages(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, imported := range s.file.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range walls() {
				if under(s.folder(), w.from) && w.forbids(strings.TrimPrefix(path, module)) {
					t.Errorf("%s imports %s: packages under %s may not", s.fset.Position(imported.Pos()), path, w.from)
				}
			}
		}
	}
}

func (w wall) forbids(path string) bool {
	for _, folder := range w.mayNot {
		if under(path, folder) {
			return true
		}
	}
	return false
}

func under(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}
