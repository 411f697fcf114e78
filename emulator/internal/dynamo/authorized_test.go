package dynamo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// accessRecorder is a gate that records what it authorizes: the resource, its policy, and the values of some keys.
type accessRecorder struct {
	identity.Gate
	keys     []string
	recorded []string
	err      error
}

func (g *accessRecorder) Authorize(_ *identity.Principal, a identity.Access) error {
	text := strings.TrimPrefix(a.Action, "dynamodb:") + " " + strings.TrimPrefix(a.Resource,
		"arn:aws:dynamodb:us-east-1:000000000000:")
	if a.Policy != nil {
		text += " by " + a.Policy.Statements[0].Sid
	}
	for _, key := range g.keys {
		if values := a.Context.Values(strings.ToLower(key)); len(values) > 0 {
			text += fmt.Sprintf(" %s=%v", key, values)
		}
	}
	g.recorded = append(g.recorded, text)
	return g.err
}

// authorized returns what a request of an account authorizes. The values of the keys are recorded too.
func authorized(t *testing.T, s *Service, a *engine.Account, operation, body string, keys ...string) string {
	t.Helper()
	gate := &accessRecorder{Gate: identity.AllowAll(), keys: keys, err: errors.New("authorized")}
	s.gate = gate
	defer func() { s.gate = identity.AllowAll() }()
	req := requestFor(a)
	req.Principal, req.Event.Operation = &identity.Principal{}, operation
	if _, err := runOperation(s, req, operation, []byte(body), nil); !errors.Is(err, gate.err) {
		t.Errorf("%s %s: %v", operation, body, err)
	}
	return strings.Join(gate.recorded, "; ")
}

// policyJSON returns a policy, quoted in JSON, with one statement of that Sid.
func policyJSON(sid, resource string) string {
	return `{\"Version\":\"2012-10-17\",\"Statement\":{\"Sid\":\"` + sid + `\",\"Effect\":\"Deny\",\"Principal\":\"*\",` +
		`\"Action\":\"dynamodb:*\",\"Resource\":\"` + resource + `\"}}`
}

// TestStreamsHaveTheirOwnPolicyAndTags reads a stream whose table has another policy and other tags.
func TestStreamsHaveTheirOwnPolicyAndTags(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", strings.TrimSuffix(sessions, "}")+
		`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},"Tags":[{"Key":"of","Value":"table"}]}`)
	a := s.engine.SharedAccount.Load()
	table, err := a.Table("sessions")
	if err != nil {
		t.Fatal(err)
	}
	arn := table.Def.ARN
	stream := arn + "/stream/" + table.Def.Stream.Label
	for resource, sid := range map[string]string{arn: "Table", stream: "Stream"} {
		mustRun(t, s, "PutResourcePolicy", `{"ResourceArn":"`+resource+`","Policy":"`+policyJSON(sid, resource)+`"}`)
	}
	mustRun(t, s, "TagResource", `{"ResourceArn":"`+stream+`","Tags":[{"Key":"of","Value":"stream"}]}`)
	of := " table/sessions/stream/" + table.Def.Stream.Label + " by Stream aws:ResourceTag/of=[stream]"
	for operation, body := range map[string]string{
		"DescribeStream":     `{"StreamArn":"` + stream + `"}`,
		"GetShardIterator":   `{"StreamArn":"` + stream + `","ShardId":"shardId-00000000000000000000-00000000","ShardIteratorType":"LATEST"}`,
		"GetRecords":         `{"ShardIterator":"` + stream + `|1|x"}`,
		"ListTagsOfResource": `{"ResourceArn":"` + stream + `"}`,
		"UntagResource":      `{"ResourceArn":"` + stream + `","TagKeys":["of"]}`,
	} {
		if got := authorized(t, s, a, operation, body, "aws:ResourceTag/of"); got != operation+of {
			t.Errorf("%s\nwant\n%s", got, operation+of)
		}
	}
	if got := authorized(t, s, a, "DescribeStream", `{"StreamArn":"`+stream+`0"}`, "aws:ResourceTag/of"); got !=
		"DescribeStream table/sessions/stream/"+table.Def.Stream.Label+"0" {
		t.Errorf("an older stream: %s", got)
	}
}

// TestRestoresAreAuthorizedForTheirSource restores a table of another region. The request's region has a table of that
// name too.
func TestRestoresAreAuthorizedForTheirSource(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Store: openMemory(t), Clock: clock.Manual(time.Unix(1000, 0)),
		Spaces: accounts.Spaces{Regions: []string{"eu-west-1"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	here := s.engine.SharedAccount.Load()
	there := s.engine.AccountNamed(s.engine.Spaces.Sibling(here.Name, "eu-west-1")).Intern()
	for sid, a := range map[string]*engine.Account{"Here": here, "There": there} {
		arn := a.ARN("dynamodb", "table/sessions")
		if _, err := runOperation(s, requestFor(a), "CreateTable", []byte(sessions), nil); err != nil {
			t.Fatal(err)
		}
		policy := `{"ResourceArn":"` + arn + `","Policy":"` + policyJSON(sid, arn) + `"}`
		if _, err := runOperation(s, requestFor(a), "PutResourcePolicy", []byte(policy), nil); err != nil {
			t.Fatal(err)
		}
	}
	source := there.ARN("dynamodb", "table/sessions")
	for _, c := range []struct{ source, want string }{
		{`"SourceTableName":"sessions"`, "table/sessions by Here"},
		{`"SourceTableArn":"` + source + `"`, source + " by There"},
		{`"SourceTableArn":"arn:aws:dynamodb:mars:000000000000:table/sessions"`,
			"arn:aws:dynamodb:mars:000000000000:table/sessions by Here"},
	} {
		got := authorized(t, s, here, "RestoreTableToPointInTime", `{`+c.source+`,"TargetTableName":"restored",`+
			`"UseLatestRestorableTime":true}`)
		if got != "RestoreTableToPointInTime "+c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// TestEachPartitionKeyAttributeHasAConditionKey queries an index whose partition key has two attributes.
func TestEachPartitionKeyAttributeHasAConditionKey(t *testing.T) {
	t.Parallel()
	s := newService(t)
	mustRun(t, s, "CreateTable", `{"TableName":"documents","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[`+
		`{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"tenant","AttributeType":"S"},`+
		`{"AttributeName":"owner","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],`+
		`"GlobalSecondaryIndexes":[{"IndexName":"owned","Projection":{"ProjectionType":"ALL"},"KeySchema":[`+
		`{"AttributeName":"tenant","KeyType":"HASH"},{"AttributeName":"owner","KeyType":"HASH"}]}]}`)
	a := s.engine.SharedAccount.Load()
	keys := []string{"dynamodb:LeadingKeys", "dynamodb:FirstPartitionKeyValues", "dynamodb:SecondPartitionKeyValues",
		"dynamodb:ThirdPartitionKeyValues"}
	for body, want := range map[string]string{
		`"IndexName":"owned","KeyConditionExpression":"#o = :o AND tenant = :t","ExpressionAttributeNames":{"#o":"owner"},` +
			`"ExpressionAttributeValues":{":t":{"S":"acme"},":o":{"S":"bob"}}`: "Query table/documents/index/owned " +
			"dynamodb:LeadingKeys=[acme] dynamodb:FirstPartitionKeyValues=[acme] dynamodb:SecondPartitionKeyValues=[bob]",
		`"KeyConditionExpression":"id = :i","ExpressionAttributeValues":{":i":{"S":"1"}}`: "Query table/documents " +
			"dynamodb:LeadingKeys=[1] dynamodb:FirstPartitionKeyValues=[1]",
	} {
		if got := authorized(t, s, a, "Query", `{"TableName":"documents",`+body+`}`, keys...); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// TestHistoryNeedsWholeItems reads the past of items, of which a policy may allow some attributes only.
func TestHistoryNeedsWholeItems(t *testing.T) {
	t.Parallel()
	s := newService(t)
	mustRun(t, s, "CreateTable", sessions)
	a := s.engine.SharedAccount.Load()
	const table = `{"TableName":"sessions"`
	for _, c := range []struct{ operation, body, want string }{
		{"Versions", table + `,"Key":{"id":{"S":"1"}}}`, "GetItem table/sessions dynamodb:Select=[ALL_ATTRIBUTES]"},
		{"Items", table + `}`, "Scan table/sessions dynamodb:Select=[ALL_ATTRIBUTES]"},
		{"Items", table + `,"IndexName":"i"}`, "Scan table/sessions/index/i dynamodb:Select=[ALL_PROJECTED_ATTRIBUTES]"},
		{"Difference", table + `}`, "Scan table/sessions dynamodb:Select=[ALL_ATTRIBUTES]"},
	} {
		want := c.want + " dynamodb:ReturnConsumedCapacity=[NONE]"
		got := authorized(t, s, a, c.operation, c.body, "dynamodb:Select", "dynamodb:ReturnConsumedCapacity")
		if got != want {
			t.Errorf("%s: %s\nwant %s", c.operation, got, want)
		}
	}
}
