package dynamo_test

import (
	"net/http"
	"testing"
)

// TestReadsByKeyIgnoreValues sends ExpressionAttributeValues with requests that do not have this member in the SDK's
// model: the service ignores members that it does not know, whatever they are.
func TestReadsByKeyIgnoreValues(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	c.post(target("CreateTable"), ordersTable)
	for operation, body := range map[string]string{
		"GetItem":          `{"TableName":"orders","Key":{"id":{"S":"a"}},"ExpressionAttributeValues":{":a":1}}`,
		"BatchGetItem":     `{"RequestItems":{"orders":{"Keys":[{"id":{"S":"a"}}],"ExpressionAttributeValues":{}}}}`,
		"TransactGetItems": `{"TransactItems":[{"Get":{"TableName":"orders","Key":{"id":{"S":"a"}},"ExpressionAttributeValues":{":a":{"S":"b"}}}}]}`,
	} {
		if answer := c.post(target(operation), body); answer.Code != http.StatusOK {
			t.Errorf("%s: %d %s", operation, answer.Code, answer.Body)
		}
	}
}
