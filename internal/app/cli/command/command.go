// Package command holds what the commands of all programs share: running a tree of commands, setting flags from
// environment variables, printing an error as one line with its remedy, and stopping in bounded time.
//
// Exit statuses: 0 success; 1 the work failed (a scenario, a load limit, a lost connection); 2 the command could not
// start as requested (a wrong flag, a port in use, an unreadable folder); 130 Ctrl-C, or 143 SIGTERM, stopped it before
// its work was done. A failure is one line on the error stream, with its remedy.
package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
	"github.com/tabletop-db/tabletop/internal/util/version"
)

// Process is the part of the operating system that a command sees. Tests pass their own.
type Process struct {
	Args           []string                    // without the program's name
	Env            func(string) (string, bool) // like os.LookupEnv
	Stdout, Stderr io.Writer
}

// Main runs one command line on a tree of commands and returns its exit status. It stops cleanly and returns early when
// ctx is done.
func Main(ctx context.Context, p Process, root *cobra.Command) int {
	err := orStopped(ctx, execute(ctx, p, root))
	if err == nil {
		return 0
	}
	if text := OneLine(err); text != "" {
		_, _ = fmt.Fprintln(p.Stderr, root.Name()+": "+text)
	}
	return exitStatus(err)
}

func execute(ctx context.Context, p Process, root *cobra.Command) error {
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return bindEnv(cmd.Flags(), p.Env) }
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions = cobra.CompletionOptions{DisableDefaultCmd: true}
	root.Version = version.Current() // adds the flag --version
	offerOutputs(root)
	args := versionArgs(singleDash(root, p.Args))
	root.SetFlagErrorFunc(flagError(args))
	root.SetArgs(args)
	root.SetOut(printable{p.Stdout, showsColours(p.Stdout, p.Env)})
	root.SetErr(p.Stderr)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
	if err := unknownCommand(root, args); err != nil {
		return err
	}
	return root.ExecuteContext(ctx)
}

// unknownCommand returns the error of a misspelt command, which cobra would not report before --help.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return nil
	}
	root.InitDefaultHelpCmd()
	if args[0] == "help" {
		args = args[1:]
	}
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil // reported by cobra
	}
	return cmd.Args(cmd, rest)
}

// ShowHelp is the RunE of a command that only groups others.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// flagError returns a function that explains an invalid flag. After a misspelt command every flag is unknown, so the
// error then names the command, which is what has to be corrected.
func flagError(args []string) func(*cobra.Command, error) error {
	return func(cmd *cobra.Command, err error) error {
		depth := len(strings.Fields(cmd.CommandPath())) - 1
		if cmd.HasSubCommands() && len(args) > depth && !strings.HasPrefix(args[depth], "-") {
			return OnlySubcommands(cmd, args[depth:])
		}
		if word := shorthands.FindStringSubmatch(err.Error()); word != nil {
			return unknownShorthand(cmd, word[1])
		}
		if name, is := strings.CutPrefix(err.Error(), "unknown flag: --"); is {
			if foreign := foreignFlag(cmd, name); foreign != nil {
				return foreign
			}
		}
		return Usagef("%s: see %s --help", goParser.ReplaceAllString(err.Error(), ""), cmd.CommandPath())
	}
}

// shorthands matches the word of an unknown flag with a single dash.
var shorthands = lazyregexp.New(`^unknown shorthand flag: '.' in -(.*)$`)

func unknownShorthand(cmd *cobra.Command, word string) error {
	name, _, _ := strings.Cut(word, "=")
	switch {
	case strings.Trim(name, "0123456789") != name:
		return Usagef("unexpected -%s: %s takes no negative values; see %s --help", word, cmd.CommandPath(),
			cmd.CommandPath())
	case cmd.Flags().Lookup(name) != nil:
		return Usagef("unknown flag -%s: write --%s", name, word)
	}
	return Usagef("unknown flag -%s: see %s --help", name, cmd.CommandPath())
}

// CheckFlags sets the flags of a command and returns the usage error with which the command would refuse them, from its
// PreRunE, before it does anything.
func CheckFlags(cmd *cobra.Command, args []string) error {
	if err := cmd.ParseFlags(args); err != nil {
		return Usagef("%s", goParser.ReplaceAllString(err.Error(), ""))
	}
	return cmd.PreRunE(cmd, nil)
}

// goParser matches the beginning of strconv errors: the function, and the text that the flag's error already quotes.
var goParser = lazyregexp.New(`strconv\.\w+: parsing ".*": `)

// OnlySubcommands rejects an argument to a command that only groups others, and suggests the subcommand that was
// probably meant.
func OnlySubcommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if err := detachedValue(cmd, args[0]); err != nil {
		return err
	}
	cmd.SuggestionsMinimumDistance = 2 // edit distance, in letters
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return Usagef("unknown command %q: did you mean %s %s?", args[0], cmd.CommandPath(), strings.Join(near, " or "))
	}
	return Usagef("unknown command %q: see %s --help", args[0], cmd.CommandPath())
}

// NoArguments rejects arguments to a command that takes none.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if err := detachedValue(cmd, args[0]); err != nil {
		return err
	}
	return Usagef("unexpected argument %q: %s takes no arguments; see %s --help", args[0], cmd.CommandPath(),
		cmd.CommandPath())
}

// detachedValue returns the error of an argument after a flag whose value is optional, and so takes one only after an
// equals sign; nil if there is no such flag.
func detachedValue(cmd *cobra.Command, argument string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
			err = Usagef("unexpected argument %q: if it is the value of --%s, write --%s=%s", argument, f.Name, f.Name,
				argument)
		}
	})
	return err
}
