package server

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// Peer is another emulator to compare with.
type Peer struct {
	Name string
	Get  string // command that installs it
	Note string // what the command needs
}

// Peers lists the emulators that FindPeers looks for.
func Peers() []Peer {
	return []Peer{
		{"DynamoDB Local", "bin/tabletop features --target dynamodb-local", "needs Java and Maven; fetches it once"},
		{"Dynoxide", "cargo install dynoxide-rs", ""},
		{"dynalite", "npm install --global dynalite", ""},
		{"cosmium", "go build -o ~/go/bin/cosmium ./cmd/server", "in a clone of github.com/pikami/cosmium"},
		{"zeit", "npm install --global @zeit/cosmosdb-server", ""},
	}
}

// FindPeers returns how to start the peers that are on this machine, and those that are missing.
func FindPeers() (found []*Program, missing []Peer) {
	find := []func() (*Program, error){findDynamoDBLocal, findDynoxide, findDynalite, findCosmium, findZeit}
	for i, peer := range Peers() {
		p, err := find[i]()
		if err != nil {
			missing = append(missing, peer)
			continue
		}
		p.Name = peer.Name
		found = append(found, p)
	}
	return found, missing
}

func findDynamoDBLocal() (*Program, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	jars, err := filepath.Glob(filepath.Join(cache, "tabletop", "dynamodb-local", "*", "DynamoDBLocal-*.jar"))
	if err != nil || len(jars) == 0 {
		return nil, errors.New("no jar")
	}
	lib := filepath.Dir(jars[len(jars)-1])
	line := func(data ...string) []string {
		return append([]string{java, "-Djava.library.path=" + lib, "-cp", filepath.Join(lib, "*"),
			"software.amazon.dynamodb.services.local.main.ServerRunner", "-sharedDb", "-disableTelemetry", "-port", "{port}"},
			data...)
	}
	return &Program{Service: workload.DynamoDB, Memory: line("-inMemory"), Durable: line("-dbPath", "{data}"), WarmUp: 5},
		nil
}

func findDynoxide() (*Program, error) {
	dynoxide, err := exec.LookPath("dynoxide")
	line := []string{dynoxide, "--host", "127.0.0.1", "--port", "{port}"}
	return &Program{Service: workload.DynamoDB, Memory: line,
		Durable: append(line[:len(line):len(line)], "--db-path", "{data}/db.sqlite")}, err
}

func findDynalite() (*Program, error) {
	dynalite, err := exec.LookPath("dynalite")
	line := []string{dynalite, "--host", "127.0.0.1", "--port", "{port}", "--createTableMs", "0", "--deleteTableMs", "0",
		"--updateTableMs", "0"}
	return &Program{Service: workload.DynamoDB, Memory: line, WarmUp: 2,
		Durable: append(line[:len(line):len(line)], "--path", "{data}")}, err
}

func findCosmium() (*Program, error) {
	cosmium, err := exec.LookPath("cosmium")
	return &Program{Service: workload.CosmosDB, Memory: []string{cosmium, "-Host", "127.0.0.1", "-Port", "{port}",
		"-LogLevel", "silent"}}, err
}

func findZeit() (*Program, error) {
	zeit, err := exec.LookPath("cosmosdb-server")
	return &Program{Service: workload.CosmosDB, WarmUp: 2,
		Memory: []string{zeit, "--host", "127.0.0.1", "-p", "{port}"}}, err
}
