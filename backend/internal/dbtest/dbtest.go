// Package dbtest provides the databases that tests of the backend run on.
package dbtest

import (
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/tabletop-db/tabletop/emulator"
)

// Start returns the time at which the emulator's clock stands, so that nothing expires by itself.
func Start() time.Time { return time.Date(2026, 2, 3, 10, 30, 0, 0, time.UTC) }

// Config returns the configuration of an emulator of the test's own, or of the DynamoDB at TABLETOP_TEST_DYNAMODB_URL.
func Config(t testing.TB) aws.Config {
	t.Helper()
	url := os.Getenv("TABLETOP_TEST_DYNAMODB_URL")
	if url == "" {
		return emulator.Run(t, emulator.WithManualClock(Start())).AWSConfig()
	}
	return aws.Config{
		Region: "eu-central-1", BaseEndpoint: aws.String(url),
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}
}
