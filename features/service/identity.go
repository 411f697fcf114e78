package service

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) identities(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator with these identities$`, func(ctx context.Context, described *godog.DocString) error {
		return w.startWith(ctx, described.Content)
	})
	sc.Step(`^the requests are signed by "([^"]*)"$`, w.signAs)
	sc.Step(`^the requests are signed by "([^"]*)" with another secret$`, w.signWrongly)
	sc.Step(`^the requests are signed with an unknown access key$`, func() error {
		w.sign(aws.Credentials{AccessKeyID: "AKIANOBODYNOBODYNOBO", SecretAccessKey: "nobody's"})
		return nil
	})
	sc.Step(`^the requests are signed with the new access key$`, w.signWithNewKey)
	sc.Step(`^the emulator does not show the secret of the new access key$`, w.hidesNewSecret)
	sc.Step(`^"([^"]*)" assumes the role "([^"]*)" for (\d+) minutes$`, w.assume)
	sc.Step(`^the table "([^"]*)" has the policy$`,
		func(ctx context.Context, table string, policy *godog.DocString) error {
			return w.putPolicy(ctx, table, policy.Content)
		})
	sc.Step(`^the items of "([^"]*)" where "([^"]*)" is "([^"]*)" are queried$`, w.queried)
	sc.Step(`^the attributes "([^"]*)" of the item (\{.*\}) of "([^"]*)" are read$`, w.readAttributes)
	sc.Step(`^the items (\{.*\}) and (\{.*\}) of "([^"]*)" are read in one batch$`, w.readBatch)
	sc.Step(`^in one transaction the item (\{.*\}) is put into "([^"]*)" and (\{.*\}) is deleted$`, w.putAndDelete)
	sc.Step(`^there are no tables$`, w.noTables)
}

// startWith starts an emulator with identities. They must include "admin", who signs requests until the scenario
// chooses another identity.
func (w *world) startWith(_ context.Context, described string) error {
	if err := w.Restart(emulator.WithIdentitiesFrom(strings.NewReader(described))); err != nil {
		return err
	}
	if err := w.signAs("admin"); err != nil {
		return err
	}
	w.Client = w.Once // which deletes the scenario's tables
	return nil
}

func (w *world) signAs(user string) error {
	w.Once = dynamodb.NewFromConfig(w.Target.Emulator.AWSConfigFor(user), noRetries)
	return nil
}

// sign signs further requests with these keys.
func (w *world) sign(keys aws.Credentials) {
	c := w.Target.Emulator.AWSConfig()
	c.Credentials = credentials.NewStaticCredentialsProvider(keys.AccessKeyID, keys.SecretAccessKey, keys.SessionToken)
	w.Once = dynamodb.NewFromConfig(c, noRetries)
}

func (w *world) signWrongly(ctx context.Context, user string) error {
	keys, err := w.Target.Emulator.AWSConfigFor(user).Credentials.Retrieve(ctx)
	keys.SecretAccessKey = "another"
	w.sign(keys)
	return err
}

// signWithNewKey signs further requests with the access key from the last response to an admin request.
func (w *world) signWithNewKey() error {
	var key struct{ ID, Secret string }
	if err := json.Unmarshal([]byte(w.response.body), &key); err != nil || key.Secret == "" {
		return fmt.Errorf("the response contains no key: %s", w.response.body)
	}
	w.secret = key.Secret
	w.sign(aws.Credentials{AccessKeyID: key.ID, SecretAccessKey: key.Secret})
	return nil
}

// hidesNewSecret checks that the last response to an admin request does not contain the secret from signWithNewKey.
func (w *world) hidesNewSecret() error {
	if w.secret == "" || strings.Contains(w.response.body, w.secret) {
		return fmt.Errorf("the secret %q is in the response: %s", w.secret, w.response.body)
	}
	return nil
}

// assume assumes a role and signs further requests with its session. The result is the last reply.
func (w *world) assume(ctx context.Context, user, role string, minutes int) error {
	service := sts.NewFromConfig(w.Target.Emulator.AWSConfigFor(user), func(o *sts.Options) {
		o.Retryer = aws.NopRetryer{}
	})
	who, err := service.GetCallerIdentity(ctx, nil)
	if err != nil {
		return err
	}
	out, err := service.AssumeRole(ctx, &sts.AssumeRoleInput{
		RoleArn:         aws.String("arn:aws:iam::" + *who.Account + ":role/" + role),
		RoleSessionName: aws.String(user),
		DurationSeconds: aws.Int32(int32(time.Duration(minutes) * time.Minute / time.Second)),
	})
	if w.Reply = (steps.Reply{Err: err}); err == nil {
		w.sign(aws.Credentials{AccessKeyID: *out.Credentials.AccessKeyId, SecretAccessKey: *out.Credentials.SecretAccessKey,
			SessionToken: *out.Credentials.SessionToken})
	}
	return nil
}

// putPolicy puts a policy on a table.
func (w *world) putPolicy(ctx context.Context, table, policy string) error {
	described, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	_, err = w.Once.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: described.Table.TableArn,
		Policy: &policy})
	return err
}

func (w *world) queried(ctx context.Context, table, attribute, value string) error {
	_, err := w.Once.Query(ctx, &dynamodb.QueryInput{
		TableName: w.Table(table), KeyConditionExpression: aws.String("#k = :v"),
		ExpressionAttributeNames:  map[string]string{"#k": attribute},
		ExpressionAttributeValues: steps.Item{":v": &types.AttributeValueMemberS{Value: value}},
	})
	w.Reply = steps.Reply{Err: err}
	return nil
}

func (w *world) readAttributes(ctx context.Context, attributes, text, table string) error {
	key, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	in := &dynamodb.GetItemInput{TableName: w.Table(table), Key: key, ProjectionExpression: &attributes}
	if strings.Contains(attributes, "#n") { // name is a reserved word
		in.ExpressionAttributeNames = map[string]string{"#n": "name"}
	}
	out, err := w.Once.GetItem(ctx, in)
	if w.Reply = (steps.Reply{Err: err}); err == nil {
		w.Found = []steps.Item{out.Item}
	}
	return nil
}

func (w *world) readBatch(ctx context.Context, first, second, table string) error {
	keys, err := w.itemsOf(first, second)
	if err != nil {
		return err
	}
	_, err = w.Once.BatchGetItem(ctx,
		&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{*w.Table(table): {Keys: keys}}})
	w.Reply = steps.Reply{Err: err}
	return nil
}

func (w *world) itemsOf(texts ...string) ([]map[string]types.AttributeValue, error) {
	var all []map[string]types.AttributeValue
	for _, text := range texts {
		it, err := w.ItemOf(text)
		if err != nil {
			return nil, err
		}
		all = append(all, it)
	}
	return all, nil
}

func (w *world) putAndDelete(ctx context.Context, put, table, deleted string) error {
	items, err := w.itemsOf(put, deleted)
	if err != nil {
		return err
	}
	_, err = w.Once.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: w.Table(table), Item: items[0]}},
		{Delete: &types.Delete{TableName: w.Table(table), Key: items[1]}},
	}})
	w.Reply = steps.Reply{Err: err}
	return nil
}

func (w *world) noTables(ctx context.Context) error {
	out, err := w.Once.ListTables(ctx, nil)
	if err == nil && len(out.TableNames) > 0 {
		err = fmt.Errorf("there are %v", out.TableNames)
	}
	return err
}
