package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// seedFlags holds the flags for how much to seed, and where.
type seedFlags struct {
	target targetFlags
	prefix string
	seed   uint64
	users  int
}

func newSeed() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "seed",
		Short:   "Fill a system's tables with sample data",
		Long:    "Fill a system's tables with realistic sample data for development. Available for kefir.",
		Example: "  tabletop seed kefir",
		Args:    command.OnlySubcommands,
		RunE:    command.ShowHelp,
	}
	cmd.AddCommand(command.WithVerdict(newSeedKefir()))
	return cmd
}

func newSeedKefir() *cobra.Command {
	var f seedFlags
	cmd := &cobra.Command{
		Use:   "kefir",
		Short: "Fill the kefir table with sample data",
		Long: `Create the kefir table if it does not exist, and fill it with sample data: users, batches in every stage and status,
their events, sent, cancelled and pending reminders, and devices. Existing items are kept. The same seed within the
same hour writes the same items.`,
		Example: `  tabletop seed kefir
  tabletop seed kefir --users 100 --seed 7 --target url=http://127.0.0.1:8000 --prefix dev-`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.kefir(cmd) },
	}
	flags := cmd.Flags()
	f.target.bindRunning(flags)
	flags.StringVar(&f.prefix, "prefix", "", "Prefix of the table name.")
	flags.Uint64Var(&f.seed, "seed", 1, "Random seed. The same seed generates the same data.")
	flags.IntVar(&f.users, "users", 10, "Number of users.")
	return cmd
}

func (f *seedFlags) kefir(cmd *cobra.Command) (err error) {
	if err := f.target.checkRunning(); err != nil {
		return err
	}
	if f.users < 1 || f.users > kefir.MaxSeedUsers {
		return command.Usagef("--users %d is out of range: use 1 to %d", f.users, kefir.MaxSeedUsers)
	}
	if err := checkPrefix(f.prefix); err != nil {
		return err
	}
	ctx := cmd.Context()
	t, err := f.target.open(ctx, command.Logger(cmd))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	counts, err := f.fill(ctx, t, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(),
		"Wrote %s users, %s batches, %s events, %s reminders and %s devices to %s\nFirst user: %s\n",
		thousands.Group(counts.Users), thousands.Group(counts.Batches), thousands.Group(counts.Events),
		thousands.Group(counts.Reminders), thousands.Group(counts.Devices),
		kefir.Schema(f.prefix).Tables[0].Name(), counts.FirstUserID)
	return err
}

func (f *seedFlags) fill(ctx context.Context, t *targets.Target, stderr io.Writer) (kefir.SeedCounts, error) {
	systems, err := backend.Choose("kefir")
	if err != nil {
		return kefir.SeedCounts{}, err
	}
	if _, err := systems[0].Create(ctx, t.Config, f.prefix); err != nil {
		return kefir.SeedCounts{}, err
	}
	service, err := kefir.New(kefir.Config{Client: dynamodb.NewFromConfig(t.Config), TablePrefix: f.prefix})
	if err != nil {
		return kefir.SeedCounts{}, err
	}
	line := live.New(stderr)
	defer line.Done()
	return service.Seed(ctx, f.seed, f.users, func(c kefir.SeedCounts) {
		line.Set(fmt.Sprintf("%s of %s users", thousands.Group(c.Users), thousands.Group(f.users)), time.Now())
	})
}
