package emulatorcmd

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/indented"
)

// NewClock returns the commands that show and change a running emulator's clock.
func NewClock() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "clock",
		Short: "Show or control the clock of a running emulator",
		Long: `Show, advance, freeze or speed up the clock of a running emulator. When tabletop clock advance returns, everything
that became due in the meantime, such as the expiry of items, has happened.`,
		Example: `  tabletop clock show
  tabletop clock advance 24h
  tabletop clock speed 3600 --endpoint http://127.0.0.1:8000`,
		Args: command.OnlySubcommands,
		RunE: command.ShowHelp,
	}
	cmd.AddCommand(
		clockCommand("advance DURATION", "Advance the clock by a duration such as 90s, 1h30m or 24h",
			"24h", func(duration string) (any, error) {
				d, err := time.ParseDuration(duration)
				if err != nil {
					return nil, command.Usagef("%q is not a duration: use one such as 24h, 1h30m or 90s", duration)
				}
				if d < 0 {
					return nil, command.Usagef("%s is negative, and the clock cannot go back: restart the emulator with "+
						"--clock-start to begin earlier", duration)
				}
				return map[string]string{"duration": duration}, nil
			}),
		clockCommand("freeze", "Stop the clock until it is resumed", "", nil),
		clockCommand("resume", "Resume a frozen clock", "", nil),
		clockCommand("show", "Show the time and speed of the clock", "", nil),
		clockCommand("speed FACTOR", "Set the clock's speed relative to real time, from 0.001 to 1000000",
			"3600", func(factor string) (any, error) {
				f, err := strconv.ParseFloat(factor, 64)
				if err != nil || f <= 0 {
					return nil, command.Usagef("%q is not a positive number: use a factor from 0.001 to 1000000", factor)
				}
				return map[string]float64{"speed": f}, nil
			}),
	)
	return cmd
}

// clockFlags holds the flags for which clock to control, and how to print it.
type clockFlags struct {
	AdminFlags
	json bool
}

// clockCommand returns the command for one verb of the clock. body builds the request from the verb's argument; it is
// nil for a verb without one.
func clockCommand(use, short, example string, body func(argument string) (any, error)) *cobra.Command {
	var f clockFlags
	cmd := &cobra.Command{
		Use: use, Short: short, Long: short + ".",
		RunE: func(cmd *cobra.Command, args []string) error {
			var in any
			if body != nil {
				if len(args) != 1 {
					return command.Usagef("%s takes one argument: see %s --help", cmd.CommandPath(), cmd.CommandPath())
				}
				var err error
				if in, err = body(args[0]); err != nil {
					return err
				}
			}
			return f.clock(cmd.Context(), cmd.OutOrStdout(), cmd.Name(), in)
		},
	}
	if body == nil {
		cmd.Args = command.NoArguments
	}
	cmd.Example = fmt.Sprintf("  tabletop clock %s", cmd.Name())
	if example != "" {
		cmd.Example += " " + example
	}
	cmd.Example += "\n" + cmd.Example + " --endpoint http://127.0.0.1:9000"
	f.bind(cmd.Flags())
	command.BindOutput(cmd.Flags(), &f.json)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if _, negative, ok := strings.Cut(err.Error(), " in -"); ok && body != nil {
			if _, bad := body("-" + negative); bad != nil {
				return bad
			}
		}
		return c.Root().FlagErrorFunc()(c, err)
	})
	return cmd
}

// clock sends one verb and prints the resulting clock.
func (f *clockFlags) clock(ctx context.Context, out io.Writer, verb string, in any) error {
	method, path := http.MethodPost, "/clock/"+verb
	if verb == "show" {
		method, path = http.MethodGet, "/clock"
	}
	var shown struct {
		Now    time.Time `json:"now"`
		Frozen bool      `json:"frozen"`
		Speed  float64   `json:"speed"`
	}
	if err := f.Call(ctx, method, path, in, &shown); err != nil {
		return err
	}
	if f.json {
		return indented.WriteJSON(out, shown)
	}
	pace := "frozen"
	if !shown.Frozen {
		pace = fmt.Sprintf("speed %v", shown.Speed)
	}
	_, err := fmt.Fprintf(out, "%s  %s\n", shown.Now.Format(time.RFC3339Nano), pace)
	return err
}
