package emulator_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	scaling "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling"
	scalingtypes "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	alarms "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestEveryStoredKeyIsInADeclaredKeySpace writes data of each service, and checks the store's keys.
func TestEveryStoredKeyIsInADeclaredKeySpace(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	dynamo, cosmos := clientsOf(t, e)
	makeCrashTable(t, dynamo.client)
	writeTables(t, dynamo.client)
	cosmos.makeContainer(t)
	if err := (&batchWorker{key: "k"}).write(cosmos.items); err != nil {
		t.Fatal(err)
	}
	writeKeysAndAlarms(t, e)
	callKinesis(t, e.DynamoDBURL(), "CreateStream", `{"StreamName":"changes"}`)
	enableDestination(t, dynamo.client, "crash", "changes")
	callKinesis(t, e.DynamoDBURL(), "PutRecord", `{"StreamName":"changes","PartitionKey":"a","Data":"eA=="}`)
	writeScaling(t, e, dynamo.client)
	names, undeclared, err := e.KeySpaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range undeclared {
		t.Errorf("%q lies in no declared key space", key)
	}
	for _, want := range []string{
		"tables", "items of tables", "time to live of tables", "client request tokens", "streams", "backups",
		"items of backups", "change logs",
		"keys of KMS", "aliases of KMS", "streams of Kinesis", "progress of Kinesis destinations",
		"alarms", "scalable targets", "scaling activities", "counter of auto scaling",
		"databases", "containers", "items of containers", "ids of items",
		"unique keys", "change feeds",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("nothing lies in %s", want)
		}
	}
}

// writeScaling registers a table whose capacity is outside of the range.
func writeScaling(t *testing.T, e *emulator.Emulator, c *dynamodb.Client) {
	t.Helper()
	if _, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: aws.String("scaled"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1),
			WriteCapacityUnits: aws.Int64(1)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := scaling.NewFromConfig(e.AWSConfig()).RegisterScalableTarget(t.Context(),
		&scaling.RegisterScalableTargetInput{ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb,
			ResourceId: aws.String("table/scaled"), ScalableDimension: writesOfTable, MinCapacity: aws.Int32(1000),
			MaxCapacity: aws.Int32(1000)}); err != nil {
		t.Fatal(err)
	}
}

// writeTables writes an item that expires, in a transaction with a token, and backs up its table.
func writeTables(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	table := aws.String("crash")
	_, err := c.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: table, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("ttl"),
			Enabled: aws.Bool(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	ends := strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)
	item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"},
		"ttl": &types.AttributeValueMemberN{Value: ends}}
	if _, err = c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String("token"),
		TransactItems:      []types.TransactWriteItem{{Put: &types.Put{TableName: table, Item: item}}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err = c.CreateBackup(t.Context(), &dynamodb.CreateBackupInput{TableName: table,
		BackupName: aws.String("copy")}); err != nil {
		t.Fatal(err)
	}
}

func writeKeysAndAlarms(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	keys := kms.NewFromConfig(e.AWSConfig())
	made, err := keys.CreateKey(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = keys.CreateAlias(t.Context(), &kms.CreateAliasInput{AliasName: aws.String("alias/a"),
		TargetKeyId: made.KeyMetadata.KeyId}); err != nil {
		t.Fatal(err)
	}
	if _, err = cloudwatch.NewFromConfig(e.AWSConfig()).PutMetricAlarm(t.Context(), &cloudwatch.PutMetricAlarmInput{
		AlarmName: aws.String("errors"), Namespace: aws.String("AWS/DynamoDB"), MetricName: aws.String("UserErrors"),
		Statistic: alarms.StatisticSum,
		Period:    aws.Int32(60), EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(1),
		ComparisonOperator: alarms.ComparisonOperatorGreaterThanThreshold,
	}); err != nil {
		t.Fatal(err)
	}
}
