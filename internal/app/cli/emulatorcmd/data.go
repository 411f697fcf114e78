package emulatorcmd

import (
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/processors"
)

// dataOptions returns the options for the data folder. Errors: a flag that needs --data.
func (f *Flags) dataOptions() (opts []emulator.Option, err error) {
	if f.data == "" {
		switch {
		case f.rootKey != "":
			return nil, command.Usagef("--root-key requires --data")
		case f.encrypt:
			return nil, command.Usagef("--encrypt-data requires --data")
		case f.acceptLoss:
			return nil, command.Usagef("--accept-loss requires --data")
		case f.memory != 0:
			return nil, command.Usagef("--memory requires --data: without it, all data is in memory")
		}
		return nil, nil
	}
	processors.AddOne() // writes wait for the disk
	opts = append(opts, emulator.WithData(f.data), emulator.WithRootKey(f.rootKey),
		emulator.WithMinFreeSpace(f.minFreeMB<<20), emulator.WithMemory(int64(f.memory)))
	if f.encrypt {
		opts = append(opts, emulator.WithEncryption())
	}
	if f.acceptLoss {
		opts = append(opts, emulator.WithAcceptLoss())
	}
	return opts, nil
}
