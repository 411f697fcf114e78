package emulatorcmd

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// commandedFlags holds the flags of the emulator's clock, admin API and recording.
type commandedFlags struct {
	start string
	speed float64
	admin bool
	hosts []string

	record string
	file   *os.File // the recording, open while the emulator runs
}

func (f *commandedFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.start, "clock-start", "", "time at which the emulator's clock begins, such as 2030-01-01T00:00:00Z; without it the machine's")
	flags.Float64Var(&f.speed, "speed", 1, "seconds of the emulator in a second of the machine, from 0.001 to 1000000")
	flags.BoolVar(&f.admin, "admin", false, "answer the admin API beyond this machine too: whoever reaches the port can command the emulator")
	flags.StringVar(&f.record, "record", "", "new file for requests to DynamoDB and their answers, for tabletop replay; requests to Cosmos DB are not recorded")
	flags.StringSliceVar(&f.hosts, "admin-host", nil, "host name by which admin requests may call the emulator, such as that of its container; implies --admin")
}

func (f *commandedFlags) options() ([]emulator.Option, error) {
	if !(f.speed >= 0.001 && f.speed <= 1_000_000) {
		return nil, command.Usagef("--speed %v: give a factor from 0.001 to 1000000", f.speed)
	}
	opts := []emulator.Option{emulator.WithSpeed(f.speed)}
	if f.start != "" {
		start, err := time.Parse(time.RFC3339, f.start)
		if err != nil {
			return nil, command.Usagef("--clock-start %q is no time: write it as 2030-01-01T00:00:00Z", f.start)
		}
		opts = append(opts, emulator.WithClockStart(start))
	}
	if f.record != "" {
		file, err := os.OpenFile(f.record, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
			return nil, command.Usagef("--record %s: the file is there already: remove it, or name another one", f.record)
		case err != nil:
			return nil, command.Usagef("--record: %v: name a file in a folder that is there and yours to write", err)
		}
		f.file = file
		opts = append(opts, emulator.WithRecording(file))
	}
	if f.admin || len(f.hosts) > 0 {
		opts = append(opts, emulator.WithAdmin(f.hosts...))
	}
	return opts, nil
}

// close closes the file that options opened. Close the emulator first.
func (f *commandedFlags) close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
