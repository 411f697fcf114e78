// Package dbtest gives a test the DynamoDB that it runs on.
package dbtest

import (
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// Config leads to the endpoint that TABLETOP_TEST_DYNAMODB_URL names.
func Config(t testing.TB) aws.Config {
	t.Helper()
	url := os.Getenv("TABLETOP_TEST_DYNAMODB_URL")
	if url == "" {
		t.Skip("set TABLETOP_TEST_DYNAMODB_URL")
	}
	return aws.Config{
		Region: "eu-central-1", BaseEndpoint: aws.String(url),
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}
}
