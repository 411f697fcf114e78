package dynamo_test

import (
	"fmt"
	"strings"
	"testing"
)

// paritysuite/dynamodb-conformance, October 2026: with a key of one byte, UpdateItem writes items of up to 409,581
// bytes in us-east-1. AttributeUpdates and transactions write items of up to 409,600 bytes.
func TestUpdateItemIsLimitedByWhatItWrites(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	c.say(t, "CreateTable", `{"TableName": "notes", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}`)
	const tooLarge = "ValidationException: Item size to update has exceeded the maximum allowed size\n"
	const expression = `"UpdateExpression": "SET b = :pad", "ExpressionAttributeValues": {":pad": {"S": "%s"}}`
	for _, x := range []struct {
		operation, request string
		size               int // of the resulting item, in bytes
		want               string
	}{
		{"UpdateItem", `{"TableName": "notes", "Key": {"pk": {"S": "K"}}, ` + expression + `}`, 409_581, "{}\n"},
		{"UpdateItem", `{"TableName": "notes", "Key": {"pk": {"S": "K"}}, ` + expression + `}`, 409_582, tooLarge},
		{"UpdateItem", `{"TableName": "notes", "Key": {"pk": {"S": "K"}}, "ConditionExpression": "attribute_exists(x1)", ` +
			expression + `}`, 409_581, "ConditionalCheckFailedException: The conditional request failed\n"},
		{"UpdateItem", `{"TableName": "notes", "Key": {"pk": {"S": "K"}}, "ConditionExpression": "attribute_exists(x1)", ` +
			expression + `}`, 409_582, tooLarge},
		{"UpdateItem", `{"TableName": "notes", "Key": {"pk": {"S": "K"}},
			"AttributeUpdates": {"b": {"Value": {"S": "%s"}}}}`, 409_600, "{}\n"},
		{"UpdateItem", `{"TableName": "notes", "Key": {"pk": {"S": "K"}},
			"AttributeUpdates": {"b": {"Value": {"S": "%s"}}}}`, 409_601, tooLarge},
		{"TransactWriteItems", `{"TransactItems": [{"Update": {"TableName": "notes", "Key": {"pk": {"S": "K"}}, ` +
			expression + `}}]}`, 409_600, "{}\n"},
	} {
		request := fmt.Sprintf(x.request, strings.Repeat("x", x.size-len("pkKb")))
		if got := c.say(t, x.operation, request); got != x.want {
			t.Errorf("%s of %d bytes: got %s, want %s", x.operation, x.size, got, x.want)
		}
	}
}
