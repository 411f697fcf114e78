package emulator_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/emulator"
)

const people = `
account: "123456789012"
users:
  ana:
    keys: [{id: AKIAANAANAANAANAANA1, secret: secret-of-ana}]
    policies: [AdministratorAccess]
  bob:
    keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}]
    inline:
      own:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Action: [dynamodb:GetItem, dynamodb:PutItem, dynamodb:Query, dynamodb:BatchGetItem, dynamodb:BatchWriteItem]
            Resource: ["arn:aws:dynamodb:*:*:table/orders", "arn:aws:dynamodb:*:*:table/orders/index/*"]
            Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}
          - {Effect: Allow, Action: "sts:AssumeRole", Resource: "*"}
roles:
  reader:
    trust: {Version: "2012-10-17", Statement: {Effect: Allow, Principal: {AWS: "123456789012"}, Action: "sts:AssumeRole", Condition: {StringEquals: {"sts:ExternalId": desk}}}}
    inline:
      read: {Version: "2012-10-17", Statement: {Effect: Allow, Action: ["dynamodb:GetItem", "dynamodb:Query"], Resource: "*"}}
accounts:
  "210987654321":
    users:
      eve: {keys: [{id: AKIAEVEEVEEVEEVEEVE1, secret: secret-of-eve}], policies: [AdministratorAccess]}
`

// guarded returns an emulator with the identities above, and ana's table orders.
func guarded(t *testing.T) *emulator.Emulator {
	t.Helper()
	e := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(people)),
		emulator.WithManualClock(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)))
	makeTable(t, dynamodb.NewFromConfig(e.AWSConfigFor("ana")), "orders")
	return e
}

// denied checks that an error is an exception with a text.
func denied(t *testing.T, err error, code, words string) {
	t.Helper()
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != code || !strings.Contains(api.ErrorMessage(), words) {
		t.Errorf("%v\nwant %s: %s", err, code, words)
	}
}

func itemOf(pk string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: pk}}
}

func TestAUserSeesTheirOwnPartition(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	bob := dynamodb.NewFromConfig(guarded(t).AWSConfigFor("bob"))
	put := func(pk string) error {
		_, err := bob.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: itemOf(pk)})
		return err
	}
	if err := put("bob"); err != nil {
		t.Error(err)
	}
	denied(t, put("ana"), "AccessDeniedException",
		"User: arn:aws:iam::123456789012:user/bob is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/orders because no identity-based policy allows the dynamodb:PutItem action")
	_, err := bob.BatchGetItem(ctx,
		&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			"orders": {Keys: []map[string]types.AttributeValue{itemOf("bob"), itemOf("ana")}}}})
	denied(t, err, "AccessDeniedException", "dynamodb:BatchGetItem")
	_, err = bob.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("orders")})
	denied(t, err, "AccessDeniedException", "dynamodb:Scan")
	query := func(pk string) error {
		_, err := bob.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("orders"),
			KeyConditionExpression:    aws.String("pk = :p"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: pk}}})
		return err
	}
	if err := query("bob"); err != nil {
		t.Error(err)
	}
	denied(t, query("ana"), "AccessDeniedException", "dynamodb:Query")
	_, err = bob.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String("orders"), Item: itemOf("bob")}},
		{ConditionCheck: &types.ConditionCheck{TableName: aws.String("orders"), Key: itemOf("bob"),
			ConditionExpression: aws.String("attribute_exists(pk)")}},
	}})
	denied(t, err, "AccessDeniedException", "dynamodb:ConditionCheckItem")
}

func TestAnAccountSeesItsOwnTables(t *testing.T) {
	t.Parallel()
	eve := dynamodb.NewFromConfig(guarded(t).AWSConfigFor("210987654321/eve"))
	out, err := eve.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || len(out.TableNames) != 0 {
		t.Errorf("%v %v", out, err)
	}
	makeTable(t, eve, "orders")
	described, err := eve.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil || *described.Table.TableArn != "arn:aws:dynamodb:us-east-1:210987654321:table/orders" {
		t.Errorf("%v %v", described, err)
	}
}

func TestARoleIsAssumedAndExpires(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	e := guarded(t)
	service := sts.NewFromConfig(e.AWSConfigFor("bob"))
	identity, err := service.GetCallerIdentity(ctx, nil)
	if err != nil || *identity.Arn != "arn:aws:iam::123456789012:user/bob" || *identity.Account != "123456789012" {
		t.Fatalf("%+v %v", identity, err)
	}
	role := "arn:aws:iam::123456789012:role/reader"
	_, err = service.AssumeRole(ctx, &sts.AssumeRoleInput{RoleArn: &role, RoleSessionName: aws.String("s1")})
	denied(t, err, "AccessDenied",
		"User: arn:aws:iam::123456789012:user/bob is not authorized to perform: sts:AssumeRole on resource: "+role)

	config := e.AWSConfigFor("bob")
	config.Credentials = stscreds.NewAssumeRoleProvider(service, role, func(o *stscreds.AssumeRoleOptions) {
		o.ExternalID, o.RoleSessionName = aws.String("desk"), "s1"
	})
	keys, err := config.Credentials.Retrieve(ctx)
	if err != nil || !strings.HasPrefix(keys.AccessKeyID, "ASIA") || !keys.Expires.Equal(e.Now().Add(15*time.Minute)) {
		t.Fatalf("%v, which expire at %v: %v", keys.AccessKeyID, keys.Expires, err)
	}
	config.Credentials = staticProvider{keys}
	reader := dynamodb.NewFromConfig(config)
	get := func() error {
		_, err := reader.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: itemOf("a")})
		return err
	}
	if err := get(); err != nil {
		t.Error(err)
	}
	_, err = reader.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: itemOf("a")})
	denied(t, err, "AccessDeniedException",
		"User: arn:aws:sts::123456789012:assumed-role/reader/s1 is not authorized to perform: dynamodb:PutItem")
	if err := e.Advance(15 * time.Minute); err != nil {
		t.Fatal(err)
	}
	denied(t, get(), "ExpiredTokenException", "The security token included in the request is expired")
}

type staticProvider struct{ aws.Credentials }

func (p staticProvider) Retrieve(context.Context) (aws.Credentials, error) { return p.Credentials, nil }

func TestTablePolicies(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	e := guarded(t)
	ana, bob := dynamodb.NewFromConfig(e.AWSConfigFor("ana")), dynamodb.NewFromConfig(e.AWSConfigFor("bob"))
	arn := aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/orders")
	put := func(policy string, sure bool) error {
		_, err := ana.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: &policy,
			ConfirmRemoveSelfResourceAccess: sure})
		return err
	}
	if err := put(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::123456789012:user/bob"},"Action":"dynamodb:Scan","Resource":"*"}}`,
		false); err != nil {
		t.Fatal(err)
	}
	if _, err := bob.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("orders")}); err != nil {
		t.Error(err)
	}
	locked := `{"Version":"2012-10-17","Statement":{"Effect":"Deny","Principal":"*","Action":"dynamodb:*","Resource":"*"}}`
	denied(t, put(locked, false), "AccessDeniedException",
		"The new resource policy will not allow you to update the resource policy in the future.")
	kept := `{"Version":"2012-10-17","Statement":{"Effect":"Deny","Principal":"*","Action":"dynamodb:DeleteResourcePolicy","Resource":"*"}}`
	if err := put(kept, false); err != nil {
		t.Error(err)
	}
	if err := put(locked, true); err != nil {
		t.Fatal(err)
	}
	_, err := ana.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: itemOf("a")})
	denied(t, err, "AccessDeniedException", "with an explicit deny in a resource-based policy")
}

// TestSDKDefaultCredentialChain sets the environment as a shell would, so it is not parallel.
func TestSDKDefaultCredentialChain(t *testing.T) {
	e := guarded(t)
	t.Setenv("AWS_ENDPOINT_URL", e.DynamoDBURL())
	t.Setenv("AWS_ENDPOINT_URL_STS", e.DynamoDBURL()) // for roles in profiles: the SDK looks nowhere else
	file := filepath.Join(t.TempDir(), "config")
	profiles := `
[profile bob]
region = us-east-1
aws_access_key_id = AKIABOBBOBBOBBOBBOB1
aws_secret_access_key = secret-of-bob

[profile reader]
region = us-east-1
role_arn = arn:aws:iam::123456789012:role/reader
source_profile = bob
external_id = desk
`
	if err := os.WriteFile(file, []byte(profiles), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.LoadDefaultConfig(t.Context(), config.WithSharedConfigFiles([]string{file}),
		config.WithSharedConfigProfile("reader"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := sts.NewFromConfig(c).GetCallerIdentity(t.Context(), nil)
	if err != nil || !strings.HasPrefix(*out.Arn, "arn:aws:sts::123456789012:assumed-role/reader/") {
		t.Errorf("%+v %v", out, err)
	}
	_, err = dynamodb.NewFromConfig(c).DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	denied(t, err, "AccessDeniedException", "dynamodb:DeleteTable")
}
