package wire

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestResolveNormalizesExpressions(t *testing.T) {
	t.Parallel()
	names := map[string]string{"#0": "hardware_id", "#1": "ts_batch"}
	vals := values{
		":0": &types.AttributeValueMemberS{Value: "AA (1)"},
		":1": &types.AttributeValueMemberS{Value: "1#"},
		":2": &types.AttributeValueMemberN{Value: "2.5"},
	}
	for _, c := range []struct{ expr, want string }{
		{"#0 = :0", "hardware_id = 'AA (1)'"},
		{"(#0 = :0) AND (#1 BETWEEN :1 AND :2)", "hardware_id = 'AA (1)' AND ts_batch BETWEEN '1#' AND 2.5"},
		{"((#0 = :0))", "hardware_id = 'AA (1)'"},
		{"attribute_not_exists (#0)", "attribute_not_exists(hardware_id)"},
		{"(#0 = :0) AND (begins_with (#1, :1))", "hardware_id = 'AA (1)' AND begins_with(ts_batch, '1#')"},
		{"(#0 = :0) AND ((attribute_not_exists (#1)) OR (#1 < :1))",
			"hardware_id = 'AA (1)' AND (attribute_not_exists(ts_batch) OR ts_batch < '1#')"},
		{"REMOVE #0, #1\nSET #0 = :0\n", "SET hardware_id = 'AA (1)' REMOVE hardware_id, ts_batch"},
		{"attribute_not_exists(#0)", "attribute_not_exists(hardware_id)"},
		{"(#0 = :0 OR #1 = :1) AND #1 > :1", "(hardware_id = 'AA (1)' OR ts_batch = '1#') AND ts_batch > '1#'"},
		{"SET  #0 = if_not_exists(#0, :0)", "SET hardware_id = if_not_exists(hardware_id, 'AA (1)')"},
	} {
		if got := resolve(&c.expr, names, vals); got != c.want {
			t.Errorf("resolve(%q) = %q, want %q", c.expr, got, c.want)
		}
	}
}

func TestCallStringIsTheTextOfAStep(t *testing.T) {
	t.Parallel()
	got := describe("Query", "run-", &dynamodb.QueryInput{
		TableName:                 aws.String("run-devices"),
		IndexName:                 aws.String("gsi1"),
		KeyConditionExpression:    aws.String("gsi1pk = :p"),
		ExpressionAttributeValues: values{":p": &types.AttributeValueMemberS{Value: "devices"}},
		ScanIndexForward:          aws.Bool(false),
		Limit:                     aws.Int32(2),
	}).String()
	want := `Query of index "gsi1" of "devices" where "gsi1pk = 'devices'", descending, limit 2`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
