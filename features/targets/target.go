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

// Capability is something that a caller may need and not every target can do.
type Capability string

// The capabilities.
const (
	// MoveTime: the database's clock can be moved, so that lifetimes end without waiting.
	MoveTime Capability = "move-time"
	// PrivateStore: a database of the caller's own can be had at no cost, so that nobody else feels its clock move.
	PrivateStore Capability = "private-store"
	// IsolatedAccounts: credentials choose separate account spaces.
	IsolatedAccounts Capability = "isolated-accounts"
	// Commands: the emulator runs in this process, and can be started in any way and commanded.
	Commands Capability = "commands"
	// DynamoDB: there is a DynamoDB, which a scenario of its systems needs unasked.
	DynamoDB Capability = "dynamodb"
	// CosmosDB: there is a Cosmos DB, which a scenario of its systems needs unasked.
	CosmosDB Capability = "cosmos-db"
)

// Target is an open database. It is safe for concurrent use.
type Target struct {
	Name        string                // as Spec.String writes it
	Detail      string                // what runs and where, for a report
	Config      aws.Config            // for SDK clients: endpoint, region, credentials
	Endpoint    string                // address, empty on aws
	TablePrefix string                // begins the name of every table made here
	Cannot      map[Capability]string // what it cannot do, and why in words for a reader
	Emulator    *emulator.Emulator    // that runs in this process; nil elsewhere

	cosmos  opener
	advance func(time.Duration) error
	private func(context.Context, time.Time) (*Target, error)
	closers []func() error
}

// Can reports whether the target has the capability, and if not, why.
func (t *Target) Can(c Capability) (reason string, ok bool) {
	reason, missing := t.Cannot[c]
	return reason, !missing
}

// Advance moves the database's clock forward; what falls due has happened when it returns. Needs MoveTime.
func (t *Target) Advance(d time.Duration) error {
	if t.advance == nil {
		return fmt.Errorf("%s cannot move time: %s", t.Name, t.Cannot[MoveTime])
	}
	return t.advance(d)
}

// Private opens a database of the same kind that nobody else uses and whose clock stands at start. The caller closes
// it. Needs PrivateStore.
func (t *Target) Private(ctx context.Context, start time.Time) (*Target, error) {
	if t.private == nil {
		return nil, fmt.Errorf("%s has no private stores: %s", t.Name, t.Cannot[PrivateStore])
	}
	return t.private(ctx, start)
}

// DynamoDB returns a client for the target, with optional changes to its options.
func (t *Target) DynamoDB(opts ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(t.Config, opts...)
}

// Cosmos returns a client of the target's Cosmos DB, with options, which may be nil. Databases made by it carry
// TablePrefix. Needs CosmosDB.
func (t *Target) Cosmos(o *azcosmos.ClientOptions) (*azcosmos.Client, error) {
	if t.cosmos == nil {
		return nil, fmt.Errorf("%s has no Cosmos DB: %s", t.Name, t.Cannot[CosmosDB])
	}
	return t.cosmos(o)
}

// Close stops what Open started and removes what it left behind, last opened first.
func (t *Target) Close() error {
	var errs []error
	for i := len(t.closers) - 1; i >= 0; i-- {
		errs = append(errs, t.closers[i]())
	}
	t.closers = nil
	return errors.Join(errs...)
}

// localConfig is a config for an emulator: any credentials pass.
func localConfig(endpoint string) aws.Config {
	return aws.Config{
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("tabletop", "tabletop", ""),
		BaseEndpoint: aws.String(endpoint),
	}
}

// newPrefix makes table names unique to one run, so that runs can share a database.
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
