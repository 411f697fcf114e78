package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// completionIndex is the variable with the number, from 0, of a pod of an Indexed Job.
const completionIndex = "JOB_COMPLETION_INDEX"

// parseShard returns the shard of the flag --shard. That of auto/8 has the number of the pod in an Indexed Job, or 0 if
// there is none.
func parseShard(text string) (sim.Shard, error) {
	count, auto := strings.CutPrefix(text, "auto/")
	if index := os.Getenv(completionIndex); auto && index != "" {
		k, err := strconv.Atoi(index)
		if err != nil {
			return sim.Shard{}, command.Usagef("%s=%s is not a number: unset it, or set --shard", completionIndex, index)
		}
		text, auto = fmt.Sprintf("%d/%s", k+1, count), false
	}
	s, err := sim.ParseShard(strings.Replace(text, "auto/", "1/", 1))
	if err != nil {
		return s, command.Usagef("--shard: %v", err)
	}
	if auto {
		s.Number = 0
	}
	return s, nil
}

// simulatedShard is the flag --shard of a simulator.
type simulatedShard struct{ text string }

func (f *simulatedShard) bind(flags *pflag.FlagSet, usage string) {
	flags.StringVar(&f.text, "shard", "", usage+" auto/8 takes the number from JOB_COMPLETION_INDEX, as in an Indexed "+
		"Job of Kubernetes. tabletop simulate merge adds the reports.")
}

// parse returns the shard; the zero value if the flag is not set.
func (f *simulatedShard) parse() (sim.Shard, error) {
	if f.text == "" {
		return sim.Shard{}, nil
	}
	s, err := parseShard(f.text)
	if err == nil && s.Number == 0 {
		err = command.Usagef("--shard %s requires %s: set the number of the shard, such as 3/8", f.text, completionIndex)
	}
	return s, err
}
