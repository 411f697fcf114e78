package dynamo_test

import (
	"strconv"
	"strings"
	"testing"
)

// deepValue returns a string nested in that many maps.
func deepValue(maps int) string {
	return strings.Repeat(`{"M":{"n":`, maps) + `{"S":"leaf"}` + strings.Repeat(`}}`, maps)
}

const (
	nesting      = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
	nestingOfKey = "ExpressionAttributeValues contains invalid value: " + nesting + " for key :deep"
	prefix       = "1 validation error detected: "
	legacyValues = prefix + "Value 'BOGUS' at 'returnValues' failed to satisfy constraint: " +
		"Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
	legacyOperator = prefix + "Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: " +
		"Member must satisfy enum value set: [OR, AND]"
	conditionSyntax = `Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"`
)

// The responses were recorded by paritysuite/dynamodb-conformance and nubo-db/dynoxide in us-east-1 and eu-west-2 on
// 2026-10-09; for transactions, in which nine regions differ, those of us-east-1. DEEP40 stands for a value nested in
// 40 maps.
func TestDeepValuesAreRefusedAsOnAWS(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	condition := func(deep string) string {
		return `"ConditionExpression": "#d = :deep", "ExpressionAttributeNames": {"#d": "d"},
			"ExpressionAttributeValues": {":deep": ` + deep + `}`
	}
	action := func(kind, members string) string {
		return `{"` + kind + `": {"TableName": "absent", "Key": {"pk": {"S": "a"}}, ` + members + `}}`
	}
	put := func(members string) string {
		return `{"Put": {"TableName": "absent", "Item": {"pk": {"S": "a"}` + members + `}}}`
	}
	const key = `{"TableName": "absent", "Key": {"pk": {"S": "a"}}, `
	long := func(parameter string) string { // 4,109 bytes
		members := key
		if parameter == "FilterExpression" {
			members = `{"TableName": "absent", "KeyConditionExpression": "pk = :v", `
		}
		return members + `"` + parameter + `": "a = :v` + strings.Repeat(" AND a = :v", 373) + `",
			"ExpressionAttributeValues": {":v": {"S": "x"}}}`
	}
	tooLong := func(parameter string) string {
		return "Invalid " + parameter + ": Expression size has exceeded the maximum allowed size;"
	}
	for _, x := range []struct{ operation, request, want string }{
		{"PutItem", `{"TableName": "absent", "Item": {"pk": {"S": "a"}, "d": DEEP32}}`, prefix + nesting},
		{"PutItem", `{"TableName": "absent", "Item": {"pk": {"S": "a"}, "d": DEEP62}}`, prefix + nesting},
		{"PutItem", `{"TableName": "absent", "Item": {"pk": {"S": "a"}, "d": DEEP63}}`, nesting},
		{"BatchWriteItem", `{"RequestItems": {"absent": [{"PutRequest": {"Item": {"pk": DEEP32}}}]}}`, nesting},
		{"GetItem", `{"TableName": "absent", "Key": {"pk": DEEP100}}`, nesting},
		{"DeleteItem", `{"TableName": "absent", "Key": {"pk": DEEP100}}`, nesting},
		{"DeleteItem", `{"TableName": "absent", "Key": {"pk": DEEP40}}`, prefix + nesting},
		{"UpdateItem", key + `"AttributeUpdates": {"a": {"Value": DEEP100}}}`, nesting},
		{"PutItem", `{"TableName": "absent", "Item": {"pk": {"S": "a"}}, "Expected": {"d": {"Value": DEEP100}}}`, nesting},
		{"UpdateItem", key + `"UpdateExpression": "SET d = :deep", "ExpressionAttributeValues": {":deep": DEEP62}}`,
			prefix + nesting},
		{"UpdateItem", key + `"UpdateExpression": "SET d = :deep", "ExpressionAttributeValues": {":deep": DEEP63}}`,
			nestingOfKey},
		{"DeleteItem", key + condition("DEEP63") + `}`, nestingOfKey},
		{"PutItem", `{"TableName": "absent", "Item": {"pk": {"S": "a"}, "d": DEEP100}, "ReturnValues": "BOGUS"}`,
			legacyValues},
		{"PutItem", `{"TableName": "absent", "Item": {"pk": {"S": "a"}}, "ConditionalOperator": "XOR",
			"Expected": {"a": {"Value": DEEP100}, "b": {"Exists": false}}}`, legacyOperator},
		{"UpdateItem", key + `"AttributeUpdates": {"x": {"Value": {"S": "1"}}}, "ConditionalOperator": "XOR",
			"Expected": {"a": {"Value": DEEP100}, "b": {"Exists": false}}}`, legacyOperator},
		{"DeleteItem", key + condition("DEEP63") + `, "ReturnValues": "BOGUS"}`, legacyValues},
		{"DeleteItem", key + `"Expected": {"d": {"Value": DEEP63}}, "ReturnValues": "BOGUS"}`, legacyValues},
		{"DeleteItem", `{"TableName": "absent", "Key": {"pk": DEEP100}, "ReturnValues": "BOGUS"}`, legacyValues},
		{"DeleteItem", key + condition("DEEP100") + `, "ReturnValues": "UPDATED_NEW"}`,
			"ReturnValues can only be ALL_OLD or NONE"},
		{"TransactWriteItems", put(`, "d": DEEP40`) + "," + put(`, "": {"S": "x"}`), nesting},
		{"TransactWriteItems", put(`, "": {"S": "x"}`) + "," + put(`, "d": DEEP100`), "Empty attribute name"},
		{"TransactWriteItems", put(`, "": {"S": "x"}, "d": DEEP100`), "Empty attribute name"},
		{"TransactWriteItems", put(`, "d": DEEP100, "": {"S": "x"}`), "Empty attribute name"},
		{"TransactWriteItems", put(`, "m": {"M": {"": {"S": "x"}}}, "d": DEEP40`), nesting},
		{"TransactWriteItems", action("ConditionCheck", condition("DEEP40")) + "," + put(`, "": {"S": "x"}`), nestingOfKey},
		{"TransactWriteItems", action("Update", `"UpdateExpression": "SET d = :deep",
			"ExpressionAttributeValues": {":deep": DEEP40}`) + "," + put(`, "": {"S": "x"}`), nestingOfKey},
		{"TransactWriteItems", `{"Delete": {"TableName": "absent", "Key": {"pk": DEEP40}}},` +
			action("Delete", `"ConditionExpression": "a = = b"`), nesting},
		{"TransactWriteItems", `{"Delete": {"TableName": "absent", "Key": {"pk": DEEP100},
			"ConditionExpression": "a = = b"}}`, conditionSyntax},
		{"TransactWriteItems", action("Delete", `"ConditionExpression": "a = = b"`) +
			`,{"Delete": {"TableName": "absent", "Key": {"pk": DEEP100}}}`, conditionSyntax},
		{"TransactWriteItems", `{"Delete": {"TableName": "absent", "Key": {"pk": DEEP100}, "ConditionExpression":
			"a = :v` + strings.Repeat(" AND a = :v", 373) + `", "ExpressionAttributeValues": {":v": {"S": "x"}}}}`,
			"Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4109"},
		{"TransactWriteItems", action("Update", `"UpdateExpression": "SET a = :v`+strings.Repeat(", a = :v", 600)+`",
			"ExpressionAttributeValues": {":v": {"S": "x"}}`) +
			`,{"Delete": {"TableName": "absent", "Key": {"pk": DEEP100}}}`,
			"Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;"},
		{"Scan", long("FilterExpression"), tooLong("FilterExpression") + " expression size: 4109"},
		{"Query", long("FilterExpression"), tooLong("FilterExpression")},
		{"UpdateItem", long("ConditionExpression"), prefix + tooLong("ConditionExpression")},
		{"UpdateItem", long("UpdateExpression"), prefix + tooLong("UpdateExpression")},
		{"UpdateItem", `{"TableName": "", "UpdateExpression": "SET a = b"}`, "2 validation errors detected: " +
			"Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1; " +
			"Value null at 'key' failed to satisfy constraint: Member must not be null"},
	} {
		request := x.request
		if x.operation == "TransactWriteItems" {
			request = `{"TransactItems": [` + request + `]}`
		}
		for _, n := range []int{32, 40, 62, 63, 100} {
			request = strings.ReplaceAll(request, "DEEP"+strconv.Itoa(n), deepValue(n))
		}
		if got := strings.TrimSpace(c.say(t, x.operation, request)); got != "ValidationException: "+x.want {
			t.Errorf("%s %s:\n got %s\nwant ValidationException: %s", x.operation, x.request, got, x.want)
		}
	}
}

// A transaction may compare with a value of 33 levels, but no item has one. (paritysuite, 30 of 33 regions, October
// 2026.)
func TestTransactionsCompareWithValuesOfOneLevelMore(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	c.say(t, "CreateTable", `{"TableName": "notes", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}`)
	for members, want := range map[string]string{
		`"UpdateExpression": "REMOVE a", "ConditionExpression": "d = :deep"`: "ConditionalCheckFailed",
		`"UpdateExpression": "SET d = :deep"`:                                "ValidationError",
	} {
		got := c.say(t, "TransactWriteItems", `{"TransactItems": [{"Update": {"TableName": "notes",
			"Key": {"pk": {"S": "a"}}, `+members+`, "ExpressionAttributeValues": {":deep": `+deepValue(32)+`}}}]}`)
		if !strings.HasPrefix(got, "TransactionCanceledException") || !strings.Contains(got, "["+want+"]") {
			t.Errorf("%s: %s", members, got)
		}
		if want == "ValidationError" && !strings.Contains(got, `"Nesting Levels have exceeded supported limits"`) {
			t.Errorf("%s: %s", members, got)
		}
	}
}
