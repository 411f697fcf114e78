package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// progressFormat is how a command writes its progress to the error stream.
type progressFormat string

const (
	textProgress progressFormat = "text" // a line for people
	jsonProgress progressFormat = "json" // lines of JSON for programs
)

func (f *progressFormat) bind(flags *pflag.FlagSet) {
	flags.StringVar((*string)(f), "progress", string(textProgress),
		"Format of the progress on the error stream: text, or json for programs, a line for each report.")
}

// check rejects other formats. No format, of commands without the flag, is text.
func (f *progressFormat) check() error {
	switch *f {
	case "", textProgress, jsonProgress:
		return nil
	}
	return command.Usagef("--progress %q: use text or json", string(*f))
}

// showProgress returns a function that writes each report of the progress to w in a format, and a function to call
// after the last one. text returns them for people.
func showProgress[P any](f progressFormat, w io.Writer, text func(io.Writer) (func(P), func())) (show func(P),
	done func()) {
	if f != jsonProgress {
		return text(w)
	}
	encoder := json.NewEncoder(w)
	return func(p P) { _ = encoder.Encode(p) }, func() {} // Encode fails only if nobody reads w
}
