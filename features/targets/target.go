package targets

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
)

// Capability is an ability that a caller may need and that not every target has.
type Capability string

// The capabilities.
const (
	// MoveTime: the database's clock can be moved, so that data expires without waiting.
	MoveTime Capability = "move-time"
	// PrivateStore: the caller can have a database of its own at no cost, so that moving its clock affects no one else.
	PrivateStore Capability = "private-store"
	// IsolatedAccounts: credentials select separate accounts.
	IsolatedAccounts Capability = "isolated-accounts"
	// Commands: the emulator runs in this process, and can be started with any options and controlled.
	Commands Capability = "commands"
	// DynamoDB: there is a DynamoDB. Scenarios of systems on DynamoDB need it without a tag.
	DynamoDB Capability = "dynamodb"
	// CosmosDB: there is a Cosmos DB. Scenarios of systems on Cosmos DB need it without a tag.
	CosmosDB Capability = "cosmos-db"
)

// Target is an open database. It is safe for concurrent use.
type Target struct {
	Name        string                // as returned by Spec.String
	Detail      string                // what runs, and where, for reports
	Config      aws.Config            // for SDK clients: endpoint, region, credentials
	Endpoint    string                // address, empty on aws
	TablePrefix string                // prefix of the name of every table created here
	Cannot      map[Capability]string // missing capabilities, each with the reason as text
	Lacks       map[string]string     // missing operations of DynamoDB, each with the reason as text
	Emulator    *emulator.Emulator    // the emulator, if it runs in this process

	cosmos  opener
	account func() (*CosmosAccount, error) // nil: no Cosmos DB
	advance func(time.Duration) error
	private func(context.Context, time.Time) (*Target, error)
	closers []func() error
}

// Supports reports whether the target has the capability, and if not, why.
func (t *Target) Supports(c Capability) (reason string, ok bool) {
	reason, missing := t.Cannot[c]
	return reason, !missing
}

// Advance moves the database's clock forward. When it returns, everything that falls due has happened. It needs
// MoveTime.
func (t *Target) Advance(d time.Duration) error {
	if t.advance == nil {
		return fmt.Errorf("cannot control the clock of %s: %s", t.Name, t.Cannot[MoveTime])
	}
	return t.advance(d)
}

// NewPrivate opens a database of the same kind for the caller alone, whose clock starts at start. The caller closes it.
// It needs PrivateStore.
func (t *Target) NewPrivate(ctx context.Context, start time.Time) (*Target, error) {
	if t.private == nil {
		return nil, fmt.Errorf("%s has no private store: %s", t.Name, t.Cannot[PrivateStore])
	}
	return t.private(ctx, start)
}

// DynamoDB returns a client for the target, with changes to its options.
func (t *Target) DynamoDB(opts ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(t.Config, opts...)
}

// Cosmos returns a client of the target's Cosmos DB. o may be nil. Names of databases that the caller creates must
// begin with TablePrefix. It needs CosmosDB.
func (t *Target) Cosmos(o *azcosmos.ClientOptions) (*azcosmos.Client, error) {
	if t.cosmos == nil {
		return nil, fmt.Errorf("%s has no Cosmos DB: %s", t.Name, t.Cannot[CosmosDB])
	}
	return t.cosmos(o)
}

// Close stops what Open started and removes what it left behind, in reverse order.
func (t *Target) Close() error {
	var errs []error
	for i := len(t.closers) - 1; i >= 0; i-- {
		errs = append(errs, t.closers[i]())
	}
	t.closers = nil
	return errors.Join(errs...)
}

// localConfig returns a config for an emulator that accepts any credentials.
func localConfig(endpoint string) aws.Config {
	return aws.Config{
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("tabletop", "tabletop", ""),
		BaseEndpoint: aws.String(endpoint),
	}
}

// newPrefix returns a prefix that makes table names unique to one run, so that runs can share a database.
func newPrefix() string {
	return "tabletop-" + randomText(8) + "-"
}

func randomText(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	b := make([]byte, n)
	rand.Read(b)
	for i := range b {
		b[i] = letters[b[i]%32]
	}
	return string(b)
}
