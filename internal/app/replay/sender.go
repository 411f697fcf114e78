package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// response is a target's response.
type response struct {
	status int
	err    string // type of the error, without its namespace; of Cosmos DB its code
	body   []byte
	header http.Header // of Cosmos DB
}

// sender sends signed requests of DynamoDB's protocol, without retries.
type sender struct {
	config  aws.Config
	tables  *url.URL
	streams *url.URL
	signer  *v4.Signer
	client  *http.Client
}

// requestTimeout is how long a target may take for one request.
const requestTimeout = 60 * time.Second

// newSender returns a sender for the endpoints of a configuration.
func newSender(ctx context.Context, c aws.Config, workers int) (*sender, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = workers
	s := &sender{config: c, signer: v4.NewSigner(), client: &http.Client{Timeout: requestTimeout, Transport: transport}}
	tables, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx,
		dynamodb.EndpointParameters{Region: &c.Region, Endpoint: c.BaseEndpoint})
	if err != nil {
		return nil, err
	}
	streams, err := dynamodbstreams.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx,
		dynamodbstreams.EndpointParameters{Region: &c.Region, Endpoint: c.BaseEndpoint})
	s.tables, s.streams = &tables.URI, &streams.URI
	return s, err
}

// isOfStreams reports whether an operation is of DynamoDB Streams.
func isOfStreams(operation string) bool {
	switch operation {
	case "DescribeStream", "GetRecords", "GetShardIterator", "ListStreams":
		return true
	}
	return false
}

// send sends one request and reads the response. An error means that the target does not answer.
func (s *sender) send(ctx context.Context, operation string, body []byte) (response, error) {
	endpoint, target := s.tables, "DynamoDB_20120810."
	if isOfStreams(operation) {
		endpoint, target = s.streams, "DynamoDBStreams_20120810."
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return response{}, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", target+operation)
	credentials, err := s.config.Credentials.Retrieve(ctx)
	if err != nil {
		return response{}, fmt.Errorf("no credentials: %w", err)
	}
	hash := sha256.Sum256(body)
	if err := s.signer.SignHTTP(ctx, credentials, r, hex.EncodeToString(hash[:]), "dynamodb", s.config.Region,
		time.Now()); err != nil {
		return response{}, err
	}
	got, err := s.client.Do(r)
	if err != nil {
		return response{}, err
	}
	defer got.Body.Close()
	out := response{status: got.StatusCode}
	if out.body, err = io.ReadAll(got.Body); err != nil {
		return response{}, err
	}
	if out.status >= http.StatusBadRequest {
		out.err = errorType(out.body)
	}
	return out, nil
}

// errorType returns the error type in an error's body.
func errorType(body []byte) string {
	var said struct {
		Type string `json:"__type"`
	}
	_ = json.Unmarshal(body, &said) // a body that is not JSON has no type
	if _, name, ok := strings.Cut(said.Type, "#"); ok {
		return name
	}
	return said.Type
}

// waitForTable waits until the table that a request created or changed is active, or is deleted.
func (s *sender) waitForTable(ctx context.Context, body []byte) error {
	var named struct{ TableName, TargetTableName string }
	if err := json.Unmarshal(body, &named); err != nil {
		return err
	}
	if named.TargetTableName != "" {
		named.TableName = named.TargetTableName
	}
	ask, err := json.Marshal(map[string]string{"TableName": named.TableName})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, tableTimeout)
	defer cancel()
	for {
		got, err := s.send(ctx, "DescribeTable", ask)
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("the table %s is not ready after %v", named.TableName, tableTimeout)
		}
		if err != nil {
			return err
		}
		var described struct {
			Table struct {
				TableStatus            string
				GlobalSecondaryIndexes []struct{ IndexStatus string }
			}
		}
		_ = json.Unmarshal(got.body, &described) // an invalid description means that it is not ready
		ready := got.err == "ResourceNotFoundException" || described.Table.TableStatus == "ACTIVE"
		for _, x := range described.Table.GlobalSecondaryIndexes {
			ready = ready && x.IndexStatus == "ACTIVE"
		}
		if ready {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(tablePollInterval):
		}
	}
}

const (
	tableTimeout      = 10 * time.Minute
	tablePollInterval = 200 * time.Millisecond
)

// changesTables reports whether a table changes its state after an operation.
func changesTables(operation string) bool {
	switch operation {
	case "CreateTable", "UpdateTable", "DeleteTable", "RestoreTableFromBackup", "RestoreTableToPointInTime":
		return true
	}
	return false
}
