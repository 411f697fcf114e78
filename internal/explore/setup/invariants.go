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
		account, err := cosmosclient.New(e, &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
			Telemetry: policy.TelemetryOptions{ApplicationID: process.CheckClient}}})
		if err != nil {
			return "", err
		}
		config := e.AWSConfig()
		config.AppID = process.CheckClient
		db := dynamodb.NewFromConfig(config)
		breaks, err := set.Check(ctx, invariants.Databases{DynamoDB: db, Cosmos: account})
		var missing *invariants.MissingError
		if err != nil && !(disturbed && errors.As(err, &missing)) {
			return "", err
		}
		return invariants.Text(breaks), nil
	}
}
