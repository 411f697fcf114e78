// Package emulatorcmd holds the commands that need only an emulator or a data folder, one per file. They are the whole
// of the program tabletop-emulator and part of tabletop.
package emulatorcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/model/identities"
	"github.com/tabletop-db/tabletop/internal/otlp"
	"github.com/tabletop-db/tabletop/internal/util/heap"
)

// Flags holds the flags for where the emulator listens and where it keeps its data.
type Flags struct {
	addr          string
	data          string
	encrypt       bool
	rootKey       string
	acceptLoss    bool
	minFreeMB     uint64
	memory        memorySize
	s3Dir         string
	LikeCloud     cloudBehaviours
	showCost      string // region; empty: show no cost
	alarmWebhooks []string
	Hosts         []string

	Identities string
	faults     string
	cosmos     cosmosFlags

	Pages Pages // no flag: further pages of the console; nil: none

	OTLPEndpoint string // of tabletop emulator; tabletop up has the backend's flag of the same name
	exporter     *otlp.Exporter

	stopReturning func() // idle memory; nil before Start
}

func (f *Flags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.addr, "dynamodb-addr", "127.0.0.1:8000", "Address of DynamoDB. Port 0 picks a free port.")
	flags.StringVar(&f.data, "data", "",
		"Folder to store the data in. Default: memory; the data is lost when the emulator stops.")
	flags.BoolVar(&f.encrypt, "encrypt-data", false,
		"Encrypt a new data folder. An encrypted folder stays encrypted without this flag.")
	flags.StringVar(&f.rootKey, "root-key", "",
		"File with the root key that encrypts the data folder; created if it does "+
			"not exist. Implies --encrypt-data for a new folder. Default: root.key in the folder.")
	flags.BoolVar(&f.acceptLoss, "accept-loss", false,
		"Open a data folder even if it has lost acknowledged writes, with the remaining data. See docs/backup.md.")
	flags.Uint64Var(&f.minFreeMB, "min-free-mb", emulator.DefaultMinFreeSpace>>20,
		"Disk space to leave free on the disk of "+
			"--data, in MiB; at most a tenth of the disk. Below it, writes are refused. 0 means no limit.")
	flags.Var(&f.memory, "memory", "Limit of the emulator's memory with --data, such as 512MiB; at least 256MiB. Default: "+
		"a cache of 32 MiB, and 1 GiB for the requests in progress.")
	flags.StringVar(&f.s3Dir, "s3-dir", "", "Folder of the S3 buckets that tables are exported to and imported from; each "+
		"bucket is a folder in it. Default: s3 in the folder of --data, or a temporary folder.")
	flags.StringVar(&f.showCost, "show-cost", "",
		"Return the on-demand cost of each DynamoDB request in the response header "+
			"X-Tabletop-Cost, at the prices of a region. Default region: us-east-1.")
	flags.Lookup("show-cost").NoOptDefVal = cost.DefaultRegion
	flags.Var(&f.LikeCloud, "like-cloud",
		"Enable cloud behaviours: throttling, lag, conflicts and states; all of them, or "+
			"those listed, as in --like-cloud=throttling,lag.")
	flags.StringArrayVar(&f.alarmWebhooks, "alarm-webhook", nil,
		"URL to post the actions of CloudWatch alarms to, or TOPIC-ARN=URL "+
			"for the actions of one SNS topic. Repeatable.")
	flags.StringSliceVar(&f.Hosts, "trusted-host", nil,
		"Additional host name that clients, and web pages, may use to call the "+
			"services. IP addresses, localhost and names without a dot are always accepted. Repeatable.")
	flags.StringVar(&f.faults, "faults", "", "YAML file of faults to inject. See docs/faults.md.")
	flags.StringVar(&f.Identities, "identities", "", "YAML file of users, access keys, roles and policies. Enables the "+
		"verification of signatures and the evaluation of policies.")
	flags.Lookup("like-cloud").NoOptDefVal = allBehaviours
}

// BindGroups adds the flags to flags in groups.
func (f *Flags) BindGroups(flags *pflag.FlagSet) {
	command.GroupFlags(flags, "Emulator", f.bind)
	command.GroupFlags(flags, "Cosmos DB", f.cosmos.bind)
	if f.Pages != nil {
		command.GroupFlags(flags, "Console", f.Pages.Bind)
	}
}

// offerBehaviours makes shells complete --like-cloud.
func offerBehaviours(cmd *cobra.Command) {
	command.Offer(cmd, "like-cloud", command.Fixed(string(emulator.Throttling), string(emulator.Lag),
		string(emulator.Conflicts), string(emulator.States)))
}

// Start starts the emulator. Close must be called after it. Errors: a usage error that names the flag to change.
func (f *Flags) Start(log *slog.Logger, more ...emulator.Option) (*emulator.Emulator, error) {
	data, err := f.dataOptions()
	if err != nil {
		return nil, err
	}
	if err := f.cosmos.check(); err != nil {
		return nil, err
	}
	pages, err := f.consoleOption()
	if err != nil {
		return nil, err
	}
	opts := append(more, pages, emulator.WithDynamoDBAddr(f.addr), emulator.WithLogger(log),
		emulator.WithTrustedHosts(f.Hosts...))
	opts = append(opts, data...)
	if f.s3Dir != "" {
		opts = append(opts, emulator.WithS3Dir(f.s3Dir))
	}
	if f.showCost != "" {
		if err := checkRegion(f.showCost); err != nil {
			return nil, err
		}
		opts = append(opts, emulator.WithShowCost(f.showCost))
	}
	if f.LikeCloud != nil {
		opts = append(opts, emulator.WithLikeCloud(f.LikeCloud...))
	}
	if f.Identities != "" {
		opts = append(opts, emulator.WithIdentities(f.Identities))
	}
	opts = append(opts, f.alarmOptions()...)
	opts = append(opts, f.cosmos.options(f.addr, log)...)
	if f.faults != "" {
		faults, err := emulator.ReadFaults(f.faults)
		if err != nil {
			return nil, command.Usagef("%v", err)
		}
		opts = append(opts, emulator.WithFaults(faults...))
	}
	metrics, err := f.metricsConfig(log)
	if err != nil {
		return nil, err
	}
	e, err := emulator.Start(opts...)
	if err != nil {
		return nil, f.startError(err)
	}
	f.startPages(e)
	f.stopReturning = heap.ReturnWhenIdle()
	return e, f.startExport(e, metrics)
}

// alarmOptions returns the options for the webhooks that alarm actions call.
func (f *Flags) alarmOptions() []emulator.Option {
	var opts []emulator.Option
	for _, text := range f.alarmWebhooks {
		topic, url, ok := strings.Cut(text, "=")
		if ok && strings.HasPrefix(topic, "arn:") {
			opts = append(opts, emulator.WithAlarmTopic(topic, url))
		} else {
			opts = append(opts, emulator.WithAlarmWebhook(text))
		}
	}
	return opts
}

// startError makes an error that prevents the start a usage error. A folder's error already names its remedy.
func (f *Flags) startError(err error) error {
	var listen *emulator.ListenError
	var invalid *identities.Error
	var webhook *emulator.WebhookError
	switch {
	case errors.As(err, &webhook):
		return command.Usagef("--alarm-webhook: %v", webhook)
	case errors.As(err, &invalid):
		return command.Usagef("--identities: %v", invalid)
	case errors.As(err, &listen):
		if listen.Service != "" {
			return f.cosmos.listenError(listen)
		}
		return command.ListenError(listen.Err, "dynamodb-addr", f.addr)
	case f.data != "":
		return command.Usagef("%v", err)
	default:
		return err
	}
}

// HasCosmos reports whether Cosmos DB is enabled on any address.
func (f *Flags) HasCosmos() bool { return f.cosmos.addr != "" || f.cosmos.httpAddr != "" }

// DescribeCosmos returns where Cosmos DB listens, formatted with line for each title and text, or "" if it is off.
func (f *Flags) DescribeCosmos(e *emulator.Emulator, line string) string {
	return f.cosmos.describe(e, line)
}

// DataLocation describes where the data is stored.
func (f *Flags) DataLocation() string {
	if f.data == "" {
		return "in memory"
	}
	return "in " + f.data
}

// New returns the command that runs the emulator. pages are further pages of the console, or nil.
func New(pages Pages) *cobra.Command {
	f := Flags{Pages: pages}
	var admin controlFlags
	var local dynamoDBLocalFlags
	var account accountFlags
	var quiet bool
	cmd := &cobra.Command{
		Use:   "emulator",
		Short: "Run the emulator of DynamoDB and Cosmos DB",
		Long: `Run the emulator of Amazon DynamoDB and Azure Cosmos DB for NoSQL until Ctrl-C or SIGTERM.

DynamoDB accepts any credentials in any region, unless --identities is set. All regions share the tables of us-east-1,
unless --regions names those that have separate tables; a table can then be a global table with replicas in them. Data
is kept in memory unless --data is set; acknowledged writes to a data folder survive even kill -9. To encrypt a new data
folder, use --encrypt-data, which stores the root key in the folder, or --root-key, which stores it in a file of your
choice.

By default the emulator is strict: tables are active at once, every read returns the latest write, and no request is
throttled. --like-cloud enables the behaviours of the cloud, all of them or some: throttling (capacity, burst, partition
limits), lag (eventually consistent reads and indexes), conflicts (concurrent requests for one item) and states (tables
take time to change).

The port of DynamoDB also serves DynamoDB Streams, Kinesis, KMS, STS, CloudWatch, S3 and Application Auto Scaling, as
far as they work together with DynamoDB. In a browser, it and the port of Cosmos DB show the web console.

Cosmos DB is served over HTTPS with the certificate that tabletop cosmos cert prints, and accepts the well-known key of
Microsoft's emulator.

The flags of DynamoDB Local also work, with one dash: -sharedDb -inMemory -port 8000 -dbPath FOLDER.`,
		Example: `  tabletop emulator
  tabletop emulator --dynamodb-addr 127.0.0.1:0 --quiet
  tabletop emulator --data ./data
  tabletop emulator --data ./data --memory 512MiB
  tabletop emulator --cosmos-addr 127.0.0.1:0 --cosmos-http-addr 127.0.0.1:8082
  tabletop emulator --data ./data --encrypt-data
  tabletop emulator --data ./data --root-key ~/tabletop.key
  tabletop emulator --like-cloud=throttling,states
  tabletop emulator --record requests.jsonl
  tabletop emulator --faults faults.yaml
  tabletop emulator --alarm-webhook http://127.0.0.1:9000/alarms
  tabletop emulator --identities identities.yaml
  tabletop emulator --regions us-east-1,eu-west-1
  tabletop emulator --otlp-endpoint http://127.0.0.1:4318
  tabletop emulator --clock-start 2030-01-01T00:00:00Z --speed 3600
  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000 --region us-east-1`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			separate, err := local.apply(cmd.Flags(), &f)
			if err != nil {
				return err
			}
			more, err := admin.options()
			if err != nil {
				return err
			}
			account.isolate = account.isolate || separate
			more = append(more, account.options()...)
			defer func() { err = errors.Join(err, admin.close()) }()
			return runEmulator(cmd.Context(), cmd.OutOrStdout(), f, quiet, command.Logger(cmd), more...)
		},
	}
	f.BindGroups(cmd.Flags())
	command.GroupFlags(cmd.Flags(), "Control", admin.bind)
	command.GroupFlags(cmd.Flags(), "Emulator", f.bindMetrics)
	local.bind(cmd.Flags())
	offerBehaviours(cmd)
	cmd.Flags().BoolVar(&quiet, "quiet", false, "Print only errors, and the addresses whose port was picked by port 0.")
	account.bind(cmd.Flags())
	return cmd
}

// accountFlags holds the flags for which clients share tables, and whose these are.
type accountFlags struct {
	isolate bool
	regions []string
	id      string
}

func (f *accountFlags) bind(flags *pflag.FlagSet) {
	flags.BoolVar(&f.isolate, "isolate", false, "Give each access key and region separate tables.")
	flags.StringSliceVar(&f.regions, "regions", nil,
		"Regions with separate tables, which can have replicas in each other. Default: us-east-1 has all.")
	flags.StringVar(&f.id, "account-id", "", "Account ID in ARNs, 12 digits. Default: 000000000000.")
}

func (f *accountFlags) options() (opts []emulator.Option) {
	if f.isolate {
		opts = append(opts, emulator.WithIsolation())
	}
	if len(f.regions) > 0 {
		opts = append(opts, emulator.WithRegions(f.regions...))
	}
	if f.id != "" {
		opts = append(opts, emulator.WithAccountID(f.id))
	}
	return opts
}

// startOrCancel starts the emulator. If ctx ends first, it returns that the start was stopped, and leaves the start to
// end with the process: opening a large folder takes time, and it changes nothing that a crash could not leave in the
// same state.
func (f *Flags) startOrCancel(ctx context.Context, log *slog.Logger, more ...emulator.Option) (e *emulator.Emulator,
	err error) {
	started := make(chan struct{})
	go func() {
		defer close(started)
		e, err = f.Start(log, more...)
	}()
	select {
	case <-started:
		return e, err
	case <-ctx.Done():
		return nil, command.Stoppedf(ctx, " while the emulator was starting")
	}
}

func runEmulator(ctx context.Context, out io.Writer, f Flags, quiet bool, log *slog.Logger,
	more ...emulator.Option) error {
	e, err := f.startOrCancel(ctx, log, more...)
	if err != nil {
		return err
	}
	switch {
	case !quiet:
		_, _ = fmt.Fprintf(out, "DynamoDB   %s  %s\n%sConsole    %s/\nTry        %s\nPress Ctrl-C to stop.\n",
			e.DynamoDBURL(), f.DataLocation(), f.cosmos.describe(e, "%-11s%s\n"), e.DynamoDBURL(),
			f.exampleCommand(e.DynamoDBURL()))
	default:
		f.printPickedAddresses(out, e)
	}
	err = UntilFailure(e, func() error {
		<-ctx.Done()
		return nil
	})
	return CloseAfter(e, err, func() error {
		f.Close()
		return e.Close()
	})
}

// printPickedAddresses prints the addresses whose ports the system picked.
func (f *Flags) printPickedAddresses(out io.Writer, e *emulator.Emulator) {
	if strings.HasSuffix(f.addr, ":0") {
		_, _ = fmt.Fprintln(out, e.DynamoDBURL())
	}
	if strings.HasSuffix(f.cosmos.addr, ":0") {
		_, _ = fmt.Fprintln(out, e.CosmosURL())
	}
	if strings.HasSuffix(f.cosmos.httpAddr, ":0") {
		_, _ = fmt.Fprintln(out, e.CosmosHTTPURL())
	}
}

// exampleCommand returns a first command to try.
func (f *Flags) exampleCommand(endpoint string) string {
	if f.Identities != "" {
		return "aws dynamodb list-tables --endpoint-url " + endpoint + ", with an access key of " + f.Identities
	}
	return ListTablesCommand(endpoint)
}

// ListTablesCommand returns a command that lists the tables. It sets credentials because the aws command requires some.
func ListTablesCommand(endpoint string) string {
	return "AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local aws dynamodb list-tables --region us-east-1 --endpoint-url " +
		endpoint
}
