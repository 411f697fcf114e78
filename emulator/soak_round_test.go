package emulator_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// soak makes and drops things in an emulator.
type soak struct {
	*emulator.Emulator
	t      testing.TB
	client *http.Client
	round  int
}

func newSoak(t testing.TB, e *emulator.Emulator) *soak {
	s := &soak{Emulator: e, t: t, client: &http.Client{}}
	t.Cleanup(s.idle)
	return s
}

// idle closes the connections, which take memory.
func (s *soak) idle() { s.client.CloseIdleConnections() }

// run runs that many rounds.
func (s *soak) run(rounds int) {
	s.t.Helper()
	for range rounds {
		s.round++
		s.tables()
		s.encryptedTable()
		s.kinesisStream()
		s.containers()
		if err := s.Advance(soakStep); err != nil {
			s.t.Fatal(err)
		}
	}
}

// send sends a request, expects success, and returns the response.
func (s *soak) send(r *http.Request) string {
	s.t.Helper()
	answer, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		s.t.Fatalf("%s %s %s: %d %s %v", r.Method, r.URL.Path, r.Header.Get("X-Amz-Target"), answer.StatusCode, body, err)
	}
	return string(body)
}

// aws calls an operation, such as DynamoDB_20120810.PutItem. «T» in the body is the round's number.
func (s *soak) aws(target, body string, args ...any) string {
	s.t.Helper()
	body = strings.ReplaceAll(fmt.Sprintf(body, args...), "«T»", fmt.Sprint(s.round))
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.DynamoDBURL(), strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	if !strings.HasPrefix(target, "DynamoDB") {
		r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	}
	r.Header.Set("X-Amz-Target", target)
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature="+strings.Repeat("0", 64))
	return s.send(r)
}

func (s *soak) dynamo(operation, body string, args ...any) string {
	s.t.Helper()
	return s.aws("DynamoDB_20120810."+operation, body, args...)
}

func (s *soak) streams(operation, body string, args ...any) string {
	s.t.Helper()
	return s.aws("DynamoDBStreams_20120810."+operation, body, args...)
}

// textIn returns the first text with that name in a JSON response.
func textIn(answer, name string) string {
	_, after, _ := strings.Cut(answer, `"`+name+`":"`)
	value, _, _ := strings.Cut(after, `"`)
	return value
}

// tables makes a table with everything that a table can have, uses it, and drops it and what was made of it.
func (s *soak) tables() {
	s.t.Helper()
	s.dynamo("CreateTable", `{"TableName":"table-«T»","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk",`+
		`"KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"owner",`+
		`"AttributeType":"S"}],"GlobalSecondaryIndexes":[{"IndexName":"by-owner","KeySchema":[{"AttributeName":"owner",`+
		`"KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],"StreamSpecification":{"StreamEnabled":true,`+
		`"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	s.dynamo("UpdateTimeToLive", `{"TableName":"table-«T»","TimeToLiveSpecification":{"AttributeName":"expires",`+
		`"Enabled":true}}`)
	s.dynamo("UpdateContinuousBackups", `{"TableName":"table-«T»","PointInTimeRecoverySpecification":`+
		`{"PointInTimeRecoveryEnabled":true}}`)
	for i := range 5 {
		s.dynamo("PutItem", `{"TableName":"table-«T»","Item":{"pk":{"S":"%d"},"owner":{"S":"ana"},"expires":{"N":"%d"}}}`, i,
			s.Now().Unix()+600)
	}
	s.dynamo("TransactWriteItems", `{"ClientRequestToken":"token-«T»","TransactItems":[{"Put":{"TableName":"table-«T»",`+
		`"Item":{"pk":{"S":"t"}}}}]}`)
	s.dynamo("ExecuteStatement", `{"Statement":"SELECT * FROM \"table-«T»\" WHERE pk = '«T»'"}`)
	s.dynamo("Query", `{"TableName":"table-«T»","IndexName":"by-owner","Limit":2,"KeyConditionExpression":"#o = :o",`+
		`"ExpressionAttributeNames":{"#o":"owner"},"ExpressionAttributeValues":{":o":{"S":"ana"}}}`)
	s.readStream(textIn(s.dynamo("DescribeTable", `{"TableName":"table-«T»"}`), "LatestStreamArn"))
	backup := textIn(s.dynamo("CreateBackup", `{"TableName":"table-«T»","BackupName":"backup-«T»"}`), "BackupArn")
	s.dynamo("RestoreTableFromBackup", `{"TargetTableName":"restored-«T»","BackupArn":"%s"}`, backup)
	s.dynamo("RestoreTableToPointInTime", `{"SourceTableName":"table-«T»","TargetTableName":"earlier-«T»",`+
		`"UseLatestRestorableTime":true}`)
	s.dynamo("DeleteBackup", `{"BackupArn":"%s"}`, backup)
	for _, name := range []string{"restored", "earlier", "table"} {
		s.dynamo("DeleteTable", `{"TableName":"%s-«T»"}`, name)
	}
}

func (s *soak) readStream(arn string) {
	s.t.Helper()
	shard := textIn(s.streams("DescribeStream", `{"StreamArn":"%s"}`, arn), "ShardId")
	at := s.streams("GetShardIterator", `{"StreamArn":"%s","ShardId":"%s","ShardIteratorType":"TRIM_HORIZON"}`, arn, shard)
	s.streams("GetRecords", `{"ShardIterator":"%s"}`, textIn(at, "ShardIterator"))
}

// encryptedTable makes a table with a key of its own, and drops both.
func (s *soak) encryptedTable() {
	s.t.Helper()
	key := textIn(s.aws("TrentService.CreateKey", `{}`), "KeyId")
	s.dynamo("CreateTable", `{"TableName":"sealed-«T»","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk",`+
		`"KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"SSESpecification":`+
		`{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"%s"}}`, key)
	s.dynamo("PutItem", `{"TableName":"sealed-«T»","Item":{"pk":{"S":"a"}}}`)
	s.dynamo("DeleteTable", `{"TableName":"sealed-«T»"}`)
	s.aws("TrentService.ScheduleKeyDeletion", `{"KeyId":"%s","PendingWindowInDays":7}`, key)
}

func (s *soak) kinesisStream() {
	s.t.Helper()
	s.aws("Kinesis_20131202.CreateStream", `{"StreamName":"stream-«T»","ShardCount":1}`)
	s.aws("Kinesis_20131202.DeleteStream", `{"StreamName":"stream-«T»"}`)
}

// cosmos sends a request for a resource of that type.
func (s *soak) cosmos(method, kind, link, path, body string, headers ...string) string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, strings.TrimSuffix(s.CosmosHTTPURL(), "/")+"/"+path,
		strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	signCosmos(r, kind, link)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.send(r)
}

// containers makes a database with a container and a stored procedure, uses both, and drops all.
func (s *soak) containers() {
	s.t.Helper()
	db := fmt.Sprintf("dbs/db-%d", s.round)
	items, partition := db+"/colls/items", []string{"X-Ms-Documentdb-Partitionkey", `["a"]`}
	s.cosmos("POST", "dbs", "", "dbs", fmt.Sprintf(`{"id":"db-%d"}`, s.round))
	s.cosmos("POST", "colls", db, db+"/colls", `{"id":"items","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},`+
		`"defaultTtl":-1}`, "X-Ms-Offer-Throughput", "400")
	for i := range 20 {
		s.cosmos("POST", "docs", items, items+"/docs", fmt.Sprintf(`{"id":"%d","pk":"a","n":%d,"ttl":600}`, i, i),
			partition...)
	}
	s.cosmos("POST", "docs", items, items+"/docs", fmt.Sprintf(`{"query":"SELECT * FROM c WHERE c.n > %d"}`, s.round%9),
		append(partition, "X-Ms-Documentdb-Isquery", "true", "Content-Type", "application/query+json",
			"X-Ms-Max-Item-Count", "2")...)
	s.cosmos("GET", "docs", items, items+"/docs", "", "A-Im", "Incremental Feed", "X-Ms-Documentdb-Partitionkey", `["a"]`)
	if s.round%10 == 0 { // a script takes milliseconds
		s.cosmos("POST", "sprocs", items, items+"/sprocs", fmt.Sprintf(`{"id":"count","body":"function() {`+
			`getContext().getResponse().setBody(%d) }"}`, s.round))
		s.cosmos("POST", "sprocs", items+"/sprocs/count", items+"/sprocs/count", `[]`, partition...)
	}
	s.cosmos("DELETE", "colls", items, items, "")
	s.cosmos("DELETE", "dbs", db, db, "")
}
