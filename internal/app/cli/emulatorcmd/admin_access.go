package emulatorcmd

import (
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
)

// AdminAccess holds the flags for who may use the emulator's admin API, the web console included. By default only this
// machine may.
type AdminAccess struct {
	everyone bool
	hosts    []string
}

// Bind adds the flags to flags.
func (f *AdminAccess) Bind(flags *pflag.FlagSet) {
	flags.BoolVar(&f.everyone, "admin", false, "Serve the admin API to other machines too. "+
		"Anyone who can reach the port can then control the emulator.")
	flags.StringSliceVar(&f.hosts, "admin-host", nil, "Additional host name that admin requests may use for the "+
		"emulator, such as that of its container. Implies --admin. Repeatable.")
}

// Options returns the options of the emulator that the flags set.
func (f *AdminAccess) Options() []emulator.Option {
	if !f.everyone && len(f.hosts) == 0 {
		return nil
	}
	return []emulator.Option{emulator.WithAdmin(f.hosts...)}
}
