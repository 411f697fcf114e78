// Package lock uses a lock as a leader does: it takes the lock, and says again and again that it still needs it.
package lock

import (
	"testing"
	"time"

	"cirello.io/dynamolock/v2"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestLeaderKeepsTheLock(t *testing.T) {
	settings, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db := dynamodb.NewFromConfig(settings)
	// longer than a busy machine stands still, and than the SDK's pauses between attempts
	const lease = 10 * time.Second
	locks, err := dynamolock.New(db, "locks", dynamolock.WithOwnerName("ana"), dynamolock.DisableHeartbeat(),
		dynamolock.WithLeaseDuration(lease))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := locks.CreateTable("locks", dynamolock.WithProvisionedThroughput(&types.ProvisionedThroughput{
		ReadCapacityUnits: aws.Int64(5), WriteCapacityUnits: aws.Int64(5)})); err != nil {
		t.Fatal(err)
	}
	leader, err := locks.AcquireLock("leader", dynamolock.WithAdditionalTimeToWaitForLock(3*lease))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := locks.SendHeartbeat(leader); err != nil {
			t.Fatalf("the lock is lost, although nobody else wants it: %v", err)
		}
	}
}
