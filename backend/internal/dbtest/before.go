package dbtest

import (
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Before returns a copy of client that calls do before it sends a request of an operation, such as DeleteItem. If do
// returns an error, the request fails with it as with a broken connection, and the client does not retry.
func Before(client *dynamodb.Client, operation string, do func() error) *dynamodb.Client {
	return dynamodb.New(client.Options(), func(o *dynamodb.Options) {
		o.Retryer = aws.NopRetryer{}
		o.HTTPClient = &http.Client{Transport: beforeTransport{operation, do}}
	})
}

type beforeTransport struct {
	operation string
	do        func() error
}

func (b beforeTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("X-Amz-Target") == "DynamoDB_20120810."+b.operation {
		if err := b.do(); err != nil {
			return nil, err
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}
