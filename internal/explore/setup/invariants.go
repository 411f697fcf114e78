package setup

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/explore/process"
)

// Invariants returns a function for process.Program.Check, which returns the invariants that do not hold, in lines. A
// table or container may be missing only if mishaps kept the command from creating it: otherwise the invariant would
// never say anything.
func Invariants(set *invariants.Set) func(context.Context, *emulator.Emulator, bool) (string, error) {
	return func(ctx context.Context, e *emulator.Emulator, disturbed bool) (string, error) {
		d, err := databases(e)
		if err != nil {
			return "", err
		}
		breaks, err := set.Check(ctx, d)
		var missing *invariants.MissingError
		if err != nil && !(disturbed && errors.As(err, &missing)) {
			return "", err
		}
		return invariants.Text(breaks), nil
	}
}

// Items returns a function for process.Program.Items, which returns the items of the tables and containers that
// invariants are about.
func Items(set *invariants.Set) func(context.Context, *emulator.Emulator) (map[string]string, bool, error) {
	return func(ctx context.Context, e *emulator.Emulator) (map[string]string, bool, error) {
		d, err := databases(e)
		if err != nil {
			return nil, false, err
		}
		return set.Items(ctx, d)
	}
}

// databases returns the databases of an emulator, with clients whose requests are not the command's.
func databases(e *emulator.Emulator) (d invariants.Databases, err error) {
	d.Cosmos, err = cosmosclient.New(e, &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
		Telemetry: policy.TelemetryOptions{ApplicationID: process.CheckClient}}})
	config := e.AWSConfig()
	config.AppID = process.CheckClient
	d.DynamoDB = dynamodb.NewFromConfig(config)
	return d, err
}
