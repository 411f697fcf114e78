package cli

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// targetFlags holds the flags for the database that a command runs against.
type targetFlags struct {
	name     string
	image    string
	yesSpend bool
	profile  string // of data commands: see targets.Options
	region   string
}

func (f *targetFlags) bind(flags *pflag.FlagSet, fallback string) {
	flags.StringVar(&f.name, "target", fallback,
		"Target: embedded, url=http://HOST:PORT, alternator=http://HOST:PORT, dynamodb-local, aws, "+
			"cosmos=https://HOST:PORT or azure.")
	flags.StringVar(&f.image, "image", "",
		"Container image of the target dynamodb-local. Default: amazon/dynamodb-local.")
	flags.BoolVar(&f.yesSpend, "yes-spend", false, "Confirm that the target aws or azure may cost money.")
}

// bindRunning adds the flags for a DynamoDB that is there before and after the command.
func (f *targetFlags) bindRunning(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "target", defaultTarget, "DynamoDB: url=http://HOST:PORT or aws.")
	flags.BoolVar(&f.yesSpend, "yes-spend", false, "Confirm that the target aws may cost money.")
}

// checkRunning rejects targets that end with the command.
func (f *targetFlags) checkRunning() error {
	if kind := targets.Kind(f.name); kind == targets.Embedded || kind == targets.DynamoDBLocal {
		return command.Usagef("the target %s exists only while the command runs: use --target url=http://HOST:PORT or aws",
			kind)
	}
	return nil
}

// tables returns the names of the target's tables that begin with a prefix, without it: those that the target returns
// first, for completion.
func (f *targetFlags) tables(ctx context.Context, cmd *cobra.Command, prefix string) (names []string) {
	if f.checkRunning() != nil {
		return nil
	}
	t, err := f.open(ctx, command.Logger(cmd))
	if err != nil {
		return nil
	}
	for _, name := range listTables(ctx, dynamodb.NewFromConfig(t.Config)) {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			names = append(names, short)
		}
	}
	return names
}

// open opens the target; the caller closes it. The target must have a DynamoDB. Errors: a usage error if the target's
// name is wrong, it needs --yes-spend, does not respond, or has no DynamoDB.
func (f *targetFlags) open(ctx context.Context, log *slog.Logger) (*targets.Target, error) {
	t, err := f.openAny(ctx, log)
	if err != nil {
		return nil, err
	}
	if reason, ok := t.Supports(targets.DynamoDB); !ok {
		return nil, errors.Join(command.Usagef("--target %s: this command requires DynamoDB: %s", f.name, reason), t.Close())
	}
	return t, nil
}

// openAny is like open, for commands that check themselves which databases the target has.
func (f *targetFlags) openAny(ctx context.Context, log *slog.Logger) (*targets.Target, error) {
	spec, err := targets.Parse(f.name)
	if err != nil {
		return nil, command.Usagef("--target: %v", err)
	}
	t, err := spec.Open(ctx, f.options(log))
	if err != nil {
		return nil, command.Usagef("--target %s: %v", f.name, err)
	}
	return t, nil
}

func (f *targetFlags) options(log *slog.Logger) targets.Options {
	return targets.Options{SpendAllowed: f.yesSpend, Image: f.image, Logger: log, Profile: f.profile, Region: f.region}
}
