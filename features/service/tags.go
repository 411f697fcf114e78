package service

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
)

// tags registers the steps about tags, ARNs and account ids.
func (w *world) tags(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" is tagged with (\{.*\})$`, w.tag)
	sc.Step(`^the tag "([^"]*)" of "([^"]*)" is removed$`, w.untag)
	sc.Step(`^the tags of "([^"]*)" are (\{.*\})$`, w.tagsAre)
	sc.Step(`^the item (\{.*\}) is put into the table with the ARN of "([^"]*)"$`,
		func(ctx context.Context, item, table string) error {
			return w.putByARN(ctx, item, table, 0, "")
		})
	sc.Step(`^the item (\{.*\}) is put into the table with the ARN of "([^"]*)" in the account "(\d+)"$`,
		func(ctx context.Context, item, table, account string) error {
			return w.putByARN(ctx, item, table, accountInARN, account)
		})
	sc.Step(`^the item (\{.*\}) is put into the table with the ARN of "([^"]*)" in the region "([^"]*)"$`,
		func(ctx context.Context, item, table, region string) error {
			return w.putByARN(ctx, item, table, regionInARN, region)
		})
	sc.Step(`^an emulator of the account "(\d+)"$`, func(id string) error {
		return w.Restart(emulator.WithAccountID(id))
	})
	sc.Step(`^the ARN of "([^"]*)" begins with "([^"]*)"$`, w.arnBegins)
	sc.Step(`^the caller's account is "(\d+)"$`, w.callerIs)
}

// The positions of the parts of an ARN.
const (
	regionInARN  = 3
	accountInARN = 4
)

func (w *world) arn(ctx context.Context, table string) (string, error) {
	out, err := w.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return "", err
	}
	return *out.Table.TableArn, nil
}

// putByARN puts an item into the table with the ARN of a table. If part is not 0, that part of the ARN is replaced.
func (w *world) putByARN(ctx context.Context, text, table string, part int, value string) error {
	it, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	arn, err := w.arn(ctx, table)
	if err != nil {
		return err
	}
	if part != 0 {
		parts := strings.Split(arn, ":")
		parts[part] = value
		arn = strings.Join(parts, ":")
	}
	_, err = w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: &arn, Item: it})
	w.Reply = steps.Reply{Err: err}
	return nil
}

func (w *world) arnBegins(ctx context.Context, table, want string) error {
	arn, err := w.arn(ctx, table)
	if err == nil && !strings.HasPrefix(arn, want) {
		return fmt.Errorf("it is %s", arn)
	}
	return err
}

func (w *world) callerIs(ctx context.Context, want string) error {
	out, err := sts.NewFromConfig(w.Target.Emulator.AWSConfig()).GetCallerIdentity(ctx, nil)
	if err == nil && *out.Account != want {
		return fmt.Errorf("it is %s", *out.Account)
	}
	return err
}

func (w *world) tag(ctx context.Context, table, tags string) error {
	arn, err := w.arn(ctx, table)
	if err != nil {
		return err
	}
	var plain map[string]string
	if err := json.Unmarshal([]byte(tags), &plain); err != nil {
		return err
	}
	in := &dynamodb.TagResourceInput{ResourceArn: &arn}
	for key, value := range plain {
		in.Tags = append(in.Tags, types.Tag{Key: aws.String(key), Value: aws.String(value)})
	}
	_, err = w.Client.TagResource(ctx, in)
	return err
}

func (w *world) untag(ctx context.Context, key, table string) error {
	arn, err := w.arn(ctx, table)
	if err != nil {
		return err
	}
	_, err = w.Client.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: &arn, TagKeys: []string{key}})
	return err
}

func (w *world) tagsAre(ctx context.Context, table, tags string) error {
	arn, err := w.arn(ctx, table)
	if err != nil {
		return err
	}
	var want map[string]string
	if err := json.Unmarshal([]byte(tags), &want); err != nil {
		return err
	}
	out, err := w.Client.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: &arn})
	if err != nil {
		return err
	}
	got := map[string]string{}
	for _, t := range out.Tags {
		got[*t.Key] = *t.Value
	}
	if !maps.Equal(got, want) || len(out.Tags) != len(want) {
		return fmt.Errorf("they are %v", got)
	}
	return nil
}
