package devicetoken

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) lists(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" lists the phones that get pushes$`, func(ctx context.Context, user string) error {
		return w.SendAs(ctx, user, http.MethodGet, "/devices", nil)
	})
	sc.Step(`^they are "([^"]*)"$`, w.listIs)
	sc.Step(`^there are none$`, func() error { return w.listIs("") })
	sc.Step(`^"([^"]*)" has (\d+) phones of (\d+) KB each$`, w.heavyPhones)
	sc.Step(`^the phones of "([^"]*)" are queried as documented$`, w.documentedQuery)
	sc.Step(`^the store finds "([^"]*)"$`, w.finds)
}

type deviceList struct {
	Devices []struct {
		DeviceID string `json:"deviceId"`
	} `json:"devices"`
}

// listIs compares the phones in the last response, in any order.
func (w *world) listIs(want string) error {
	list, err := httpapi.Decode[deviceList](w.Last)
	if err != nil {
		return err
	}
	var got []string
	for _, d := range list.Devices {
		got = append(got, d.DeviceID)
	}
	return sameNames(got, want)
}

func sameNames(got []string, want string) error {
	slices.Sort(got)
	if all := strings.Join(got, ", "); all != want {
		return fmt.Errorf("they are %q", all)
	}
	return nil
}

// heavyPhones stores phones that are larger than any that the service writes, so that few of them fill a page.
func (w *world) heavyPhones(ctx context.Context, user string, n, size int) error {
	for i := range n {
		_, err := w.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: steps.Item{
			"userId": text(user), "deviceId": text(fmt.Sprintf("heavy-%d", i+1)), "platform": text("ios"),
			"expoPushToken": text(fmt.Sprintf("ExponentPushToken[heavy-%d]", i+1)),
			"isActive":      &types.AttributeValueMemberBOOL{Value: true},
			"expiresAt":     seconds(w.Clock.Now().Unix() + 1000), "filler": text(strings.Repeat("x", size<<10)),
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// documentedQuery sends the document's pattern 4 exactly as documented, without the service.
func (w *world) documentedQuery(ctx context.Context, user string) error {
	out, err := w.Client.Query(ctx, &dynamodb.QueryInput{
		TableName: w.Table(table), KeyConditionExpression: aws.String("userId = :userId"),
		FilterExpression:          aws.String("isActive = :true"),
		ExpressionAttributeValues: steps.Item{":userId": text(user), ":true": &types.AttributeValueMemberBOOL{Value: true}},
	})
	w.found = nil
	if w.Err = err; err == nil {
		w.found = out.Items
	}
	return nil
}

// finds checks the results of the last query of the store, by phone name.
func (w *world) finds(want string) error {
	if w.Err != nil {
		return errors.Join(errors.New("it found nothing"), w.Err)
	}
	var got []string
	for _, item := range w.found {
		if id, ok := item["deviceId"].(*types.AttributeValueMemberS); ok {
			got = append(got, id.Value)
		}
	}
	return sameNames(got, want)
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func seconds(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(n)}
}
