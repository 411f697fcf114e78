package cli

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// dataFlags holds the flags for the database that items are read from or written to.
type dataFlags struct {
	target   targetFlags
	endpoint string
	table    string
}

func (f *dataFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.table, "table", "", "DynamoDB table.")
	flags.StringVar(&f.target.name, "target", defaultTarget, "DynamoDB: url=http://HOST:PORT or aws.")
	flags.StringVar(&f.endpoint, "endpoint", "",
		"URL of DynamoDB, like --target url=URL. Also set by AWS_ENDPOINT_URL_DYNAMODB.")
	flags.StringVar(&f.target.profile, "profile", "", "Profile of AWS's config files. Default: the environment's.")
	flags.StringVar(&f.target.region, "region", "", "AWS region. Default: the environment's.")
	flags.BoolVar(&f.target.yesSpend, "yes-spend", false, "Confirm that the target aws may cost money.")
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
	if kind := targets.Kind(f.target.name); kind == targets.Embedded || kind == targets.DynamoDBLocal {
		return nil, command.Usagef("the target %s exists only while the command runs: use --target url=http://HOST:PORT or aws",
			kind)
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

// tables returns the names of the target's tables, or those that it returns first.
func (f *dataFlags) tables(ctx context.Context, cmd *cobra.Command) []string {
	if strings.HasPrefix(f.target.name, string(targets.AWS)) && !f.target.yesSpend {
		return nil
	}
	db, err := f.open(cmd)
	if err != nil {
		return nil
	}
	out, err := db.ListTables(ctx, &dynamodb.ListTablesInput{Limit: aws.Int32(100)})
	if err != nil {
		return nil
	}
	return out.TableNames
}
