package emulatorcmd

import (
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// Pages adds pages to the console, which need more than an emulator. The program tabletop-emulator has none.
type Pages interface {
	Bind(flags *pflag.FlagSet)
	// Extensions returns the parts of the console's API that the pages use.
	Extensions() ([]console.Extension, error)
	// SetEmulator is called once the emulator responds. identities reports whether it verifies signatures.
	SetEmulator(e *emulator.Emulator, identities bool)
	// Close is called before the emulator is closed.
	Close()
}

// consoleOption returns the option of the console, with the pages if there are some.
func (f *Flags) consoleOption() (emulator.Option, error) {
	if f.Pages == nil {
		return console.Option(), nil
	}
	extensions, err := f.Pages.Extensions()
	return console.Option(extensions...), err
}

// startPages gives the running emulator to the pages.
func (f *Flags) startPages(e *emulator.Emulator) {
	if f.Pages != nil {
		f.Pages.SetEmulator(e, f.Identities != "")
	}
}

// Close ends what Start has started besides the emulator: the pages of the console, the sending of metrics, and the
// return of memory.
func (f *Flags) Close() {
	if f.stopReturning != nil {
		f.stopReturning()
	}
	if f.exporter != nil {
		f.exporter.Close()
	}
	if f.Pages != nil {
		f.Pages.Close()
	}
}
