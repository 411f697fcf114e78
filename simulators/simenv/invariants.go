package simenv

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// brokenInvariants is a kind of fault.
const brokenInvariants = "broken invariants"

// CheckInvariants returns how many invariants hold in the database of the environment, and reports those that are
// broken as faults. Nothing must write meanwhile. Errors: an invariant cannot be checked.
func (e *Environment) CheckInvariants(ctx context.Context, ledger *sim.Ledger) (held int, err error) {
	checked, breaks, err := e.breaks(ctx)
	if err != nil {
		return 0, fmt.Errorf("checking invariants: %w", err)
	}
	for _, b := range breaks {
		ledger.ReportFault(brokenInvariants, "%s", b.Short())
	}
	return checked - len(breaks), nil
}

func (e *Environment) breaks(ctx context.Context) (checked int, breaks []invariants.Break, err error) {
	switch extra := e.cfg.Invariants; {
	case e.Embedded != nil:
		return backend.CheckInvariants(ctx, e.system, e.Embedded.Backend, extra)
	case extra != nil:
		breaks, err = extra.Check(ctx, invariants.Databases{DynamoDB: clientOf(e.cfg.Emulator)})
		return len(extra.Invariants), breaks, err
	}
	return 0, nil, nil
}

// clientOf returns a client of an emulator without identities.
func clientOf(address string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(address),
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}
