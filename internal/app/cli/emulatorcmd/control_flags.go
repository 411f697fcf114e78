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

// controlFlags holds the flags of the emulator's clock, admin API and recording.
type controlFlags struct {
	access AdminAccess
	start  string
	speed  float64

	record     string
	recordFile *os.File // the recording, open while the emulator runs
}

func (f *controlFlags) bind(flags *pflag.FlagSet) {
	f.access.Bind(flags)
	flags.StringVar(&f.start, "clock-start", "",
		"Initial time of the emulator's clock, such as 2030-01-01T00:00:00Z. Default: the current time.")
	flags.Float64Var(&f.speed, "speed", 1, "Speed of the emulator's clock relative to real time, from 0.001 to 1000000.")
	flags.StringVar(&f.record, "record", "",
		"New file to record the requests to DynamoDB and Cosmos DB to, with their responses. "+
			"tabletop replay reads it.")
}

func (f *controlFlags) options() ([]emulator.Option, error) {
	if !(f.speed >= 0.001 && f.speed <= 1_000_000) {
		return nil, command.Usagef("--speed %v is out of range: use a factor from 0.001 to 1000000", f.speed)
	}
	opts := []emulator.Option{emulator.WithSpeed(f.speed)}
	if f.start != "" {
		start, err := time.Parse(time.RFC3339, f.start)
		if err != nil {
			return nil, command.Usagef("--clock-start %q is not a time: use the format 2030-01-01T00:00:00Z", f.start)
		}
		opts = append(opts, emulator.WithClockStart(start))
	}
	if f.record != "" {
		file, err := CreateRecording(f.record)
		if err != nil {
			return nil, err
		}
		f.recordFile = file
		opts = append(opts, emulator.WithRecording(file))
	}
	return append(opts, f.access.Options()...), nil
}

// CreateRecording creates the file of --record, which only the current user can read. Errors: a usage error, also for a
// file that exists.
func CreateRecording(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, command.Usagef("--record %s: the file already exists: remove it, or use another name", name)
	case err != nil:
		return nil, command.Usagef("--record: %v: use a file in an existing, writable folder", err)
	}
	return file, nil
}

// close closes the file that options opened. Close the emulator first.
func (f *controlFlags) close() error {
	if f.recordFile == nil {
		return nil
	}
	return f.recordFile.Close()
}
