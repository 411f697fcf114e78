package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/transfer"
)

// dataFlags holds the flags for the database that items are read from or written to.
type dataFlags struct {
	target   targetFlags
	endpoint string
	table    string

	container string
	cosmos    cosmosAccountFlags
}

func (f *dataFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.table, "table", "", "DynamoDB table.")
	f.bindDatabase(flags)
}

// bindDatabase adds the flags of a DynamoDB.
func (f *dataFlags) bindDatabase(flags *pflag.FlagSet) {
	flags.StringVar(&f.target.name, "target", defaultTarget, "DynamoDB: url=http://HOST:PORT or aws.")
	flags.StringVar(&f.endpoint, "endpoint", "",
		"URL of DynamoDB, like --target url=URL. Also set by AWS_ENDPOINT_URL_DYNAMODB.")
	flags.StringVar(&f.target.profile, "profile", "", "Profile of AWS's config files. Default: the environment's.")
	flags.StringVar(&f.target.region, "region", "", "AWS region. Default: the environment's.")
	flags.BoolVar(&f.target.yesSpend, "yes-spend", false, "Confirm that AWS or Azure may cost money.")
}

const defaultTarget = "url=http://127.0.0.1:8000"

// requestAttempts is how often a request that is throttled or fails is sent, with pauses of up to 20 seconds.
const requestAttempts = 10

// open returns a client of DynamoDB. The target is never closed: that would look for tables of the run's own.
func (f *dataFlags) open(cmd *cobra.Command) (*dynamodb.Client, error) {
	if f.endpoint != "" {
		if cmd.Flags().Changed("target") {
			return nil, command.Usagef("--endpoint and --target both name a database: use one of them")
		}
		f.target.name = "url=" + f.endpoint
	}
	if err := f.target.checkRunning(); err != nil {
		return nil, err
	}
	t, err := f.target.open(cmd.Context(), command.Logger(cmd))
	if err != nil {
		return nil, err
	}
	return dynamodb.NewFromConfig(t.Config, func(o *dynamodb.Options) { o.RetryMaxAttempts = requestAttempts }), nil
}

// offer makes shells complete the names of tables.
func (f *dataFlags) offer(cmd *cobra.Command) {
	command.Offer(cmd, "table", func(ctx context.Context) []string { return f.tables(ctx, cmd) })
}

// bindCosmos adds the flags of a container of Cosmos DB.
func (f *dataFlags) bindCosmos(flags *pflag.FlagSet) {
	flags.StringVar(&f.container, "container", "", "Cosmos DB container: DATABASE/CONTAINER.")
	f.bindAccount(flags)
}

// bindAccount adds the flags of an account of Cosmos DB.
func (f *dataFlags) bindAccount(flags *pflag.FlagSet) {
	flags.StringVar(&f.cosmos.endpoint, "cosmos-endpoint", "https://127.0.0.1:8081",
		"Endpoint of the Cosmos DB account. Also set by AZURE_COSMOS_ENDPOINT.")
	flags.StringVar(&f.cosmos.key, "cosmos-key", "", "Key of the account. Also set by AZURE_COSMOS_KEY. Default: the "+
		"emulator's key for an account on this machine, otherwise the default Azure credential.")
}

// openAccount returns a client of the Cosmos DB account, and the names in --container.
func (f *dataFlags) openAccount(cmd *cobra.Command) (account *azcosmos.Client, database, container string, err error) {
	database, container, ok := transfer.ParseContainer(f.container)
	if !ok {
		return nil, "", "", command.Usagef("--container %q is invalid: use DATABASE/CONTAINER", f.container)
	}
	account, err = f.cosmos.open(cmd.Context(), f.target.yesSpend)
	return account, database, container, err
}

// openContainer opens the container. Errors: a usage error if it does not exist.
func (f *dataFlags) openContainer(cmd *cobra.Command) (*transfer.Container, error) {
	account, database, name, err := f.openAccount(cmd)
	if err != nil {
		return nil, err
	}
	c, err := transfer.OpenContainer(cmd.Context(), account, database, name)
	if errors.Is(err, transfer.ErrNoContainer) {
		return nil, command.Usagef("container %q does not exist: correct --container", f.container)
	}
	return c, err
}

// describeTable returns a table. Errors: a usage error if it does not exist.
func describeTable(cmd *cobra.Command, db *dynamodb.Client, name string) (*types.TableDescription, error) {
	table, err := transfer.Describe(cmd.Context(), db, name)
	if errors.Is(err, transfer.ErrNoTable) {
		return nil, command.Usagef("table %q does not exist: list tables with tabletop tables describe --as-file", name)
	}
	return table, err
}

// offerContainers makes shells complete the names of containers.
func (f *dataFlags) offerContainers(cmd *cobra.Command) {
	command.Offer(cmd, "container", func(ctx context.Context) []string {
		account, err := f.cosmos.client(f.target.yesSpend)
		if err != nil {
			return nil
		}
		names, err := transfer.Containers(ctx, account)
		if err != nil {
			return nil
		}
		return names
	})
}

// tables returns the names of the target's tables, or those that it returns first.
func (f *dataFlags) tables(ctx context.Context, cmd *cobra.Command) []string {
	if strings.HasPrefix(f.target.name, string(targets.AWS)) && !f.target.yesSpend {
		return nil
	}
	db, err := f.open(cmd)
	if err != nil {
		return nil
	}
	return listTables(ctx, db)
}

// listTables returns the names of a DynamoDB's tables, or those that it returns first.
func listTables(ctx context.Context, db *dynamodb.Client) []string {
	out, err := db.ListTables(ctx, &dynamodb.ListTablesInput{Limit: aws.Int32(100)})
	if err != nil {
		return nil
	}
	return out.TableNames
}
