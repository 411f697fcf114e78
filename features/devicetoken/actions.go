package devicetoken

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/features/steps"
)

type action = func(context.Context) error

// actions returns requests by their names in steps. Each is about the table unless its name says otherwise.
func actions(db *dynamodb.Client, keys *kms.Client, table, another, keyID *string) map[string]action {
	all := onItems(db, table)
	for name, do := range onItems(db, another) {
		all[name+" of another table"] = do
	}
	for _, more := range []map[string]action{onTables(db, table), onKeys(keys, keyID)} {
		for name, do := range more {
			all[name] = do
		}
	}
	return all
}

func onItems(db *dynamodb.Client, table *string) map[string]action {
	key := steps.Item{"userId": text("zoe"), "deviceId": text("zoes-phone")}
	write := []types.WriteRequest{{DeleteRequest: &types.DeleteRequest{Key: key}}}
	return map[string]action{
		"PutItem": call(db.PutItem, &dynamodb.PutItemInput{TableName: table, Item: key}),
		"GetItem": call(db.GetItem, &dynamodb.GetItemInput{TableName: table, Key: key}),
		"UpdateItem": call(db.UpdateItem, &dynamodb.UpdateItemInput{
			TableName: table, Key: key, UpdateExpression: aws.String("SET platform = :p"),
			ExpressionAttributeValues: steps.Item{":p": text("ios")},
		}),
		"DeleteItem": call(db.DeleteItem, &dynamodb.DeleteItemInput{TableName: table, Key: key}),
		"Query": call(db.Query, &dynamodb.QueryInput{
			TableName: table, KeyConditionExpression: aws.String("userId = :u"),
			ExpressionAttributeValues: steps.Item{":u": text("zoe")},
		}),
		"Scan": call(db.Scan, &dynamodb.ScanInput{TableName: table}),
		"BatchWriteItem": call(db.BatchWriteItem,
			&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{*table: write}}),
		"BatchGetItem": call(db.BatchGetItem, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{*table: {Keys: []steps.Item{key}}},
		}),
		"ConditionCheckItem": call(db.TransactWriteItems,
			&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{ConditionCheck: &types.ConditionCheck{TableName: table, Key: key,
					ConditionExpression: aws.String("attribute_not_exists(a)")}},
			}}),
	}
}

func onTables(db *dynamodb.Client, table *string) map[string]action {
	return map[string]action{
		"DescribeTable": call(db.DescribeTable, &dynamodb.DescribeTableInput{TableName: table}),
		"UpdateTable": call(db.UpdateTable, &dynamodb.UpdateTableInput{
			TableName: table, DeletionProtectionEnabled: aws.Bool(false),
		}),
		"UpdateTimeToLive": call(db.UpdateTimeToLive, &dynamodb.UpdateTimeToLiveInput{
			TableName: table, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expiresAt"),
				Enabled: aws.Bool(false)},
		}),
		"UpdateContinuousBackups": call(db.UpdateContinuousBackups, &dynamodb.UpdateContinuousBackupsInput{
			TableName: table,
			PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
				PointInTimeRecoveryEnabled: aws.Bool(false)},
		}),
		"CreateBackup": call(db.CreateBackup, &dynamodb.CreateBackupInput{TableName: table,
			BackupName: aws.String("stolen")}),
		"DeleteTable": call(db.DeleteTable, &dynamodb.DeleteTableInput{TableName: table}),
		"ListTables":  call(db.ListTables, &dynamodb.ListTablesInput{}),
	}
}

func onKeys(keys *kms.Client, id *string) map[string]action {
	generate := &kms.GenerateDataKeyInput{KeyId: id, NumberOfBytes: aws.Int32(32)}
	return map[string]action{
		"kms:GenerateDataKey": call(keys.GenerateDataKey, generate),
		"kms:Decrypt": func(ctx context.Context) error {
			made, err := keys.GenerateDataKey(ctx, generate)
			if err == nil {
				_, err = keys.Decrypt(ctx, &kms.DecryptInput{CiphertextBlob: made.CiphertextBlob})
			}
			return err
		},
		"kms:Encrypt":             call(keys.Encrypt, &kms.EncryptInput{KeyId: id, Plaintext: []byte("a")}),
		"kms:DisableKey":          call(keys.DisableKey, &kms.DisableKeyInput{KeyId: id}),
		"kms:ScheduleKeyDeletion": call(keys.ScheduleKeyDeletion, &kms.ScheduleKeyDeletionInput{KeyId: id}),
	}
}

// call returns an action that sends a request of an operation.
func call[I, O, F any](operation func(context.Context, *I, ...func(*F)) (*O, error), in *I) action {
	return func(ctx context.Context) error {
		_, err := operation(ctx, in)
		return err
	}
}
