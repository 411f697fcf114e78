package overview

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Simulation is the result of a simulation.
type Simulation struct {
	File string
	sim.Result
}

func readSimulations(dir string) ([]Simulation, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || dir == "" {
		return nil, err
	}
	var all []Simulation
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		result, err := readSimulation(text)
		if err != nil {
			return nil, fmt.Errorf("%s is not the result of a simulation; remove it (%w)", name, err)
		}
		all = append(all, Simulation{File: filepath.Base(name), Result: result})
	}
	return all, nil
}

// readSimulation parses the result of a simulation; that of the fleet of sensors has its own format.
func readSimulation(text []byte) (sim.Result, error) {
	var result sim.Result
	if err := json.Unmarshal(text, &result); err != nil || result.Simulation != "" {
		return result, err
	}
	var f fleet.Result
	if err := json.Unmarshal(text, &f); err != nil {
		return result, err
	}
	if f.Devices == 0 {
		return result, fmt.Errorf("the name of the simulation is missing")
	}
	result.Simulation = thousands.Sprintf("%d sensors", f.Devices)
	result.Actions = []sim.Count{{Name: "readings made", N: f.Made}, {Name: "acknowledged as stored", N: f.Stored},
		{Name: "acknowledged as duplicate", N: f.Duplicate}}
	result.Checks = []sim.Count{
		{Name: "read back", N: f.ReadBack}, {Name: "lost", N: f.Lost, Fault: true},
		{Name: "stored twice", N: f.StoredTwice, Fault: true}, {Name: "changed", N: f.Changed, Fault: true},
	}
	return result, nil
}
