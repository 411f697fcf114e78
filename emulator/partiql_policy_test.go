package emulator_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// statementPeople has a user who may read and insert her own items with PartiQL, but may not scan ("IAM security
// policies with PartiQL for DynamoDB").
const statementPeople = `
users:
  ana: {keys: [{id: AKIAANAANAANAANAANA1, secret: secret-of-ana}], policies: [AdministratorAccess]}
  bob:
    keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}]
    inline:
      own:
        Version: "2012-10-17"
        Statement:
          - Effect: Deny
            Action: dynamodb:PartiQLSelect
            Resource: "*"
            Condition: {Bool: {"dynamodb:FullTableScan": ["true"]}}
          - Effect: Allow
            Action: [dynamodb:PartiQLSelect, dynamodb:PartiQLInsert]
            Resource: "arn:aws:dynamodb:*:*:table/orders"
            Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}
`

func TestStatementsUnderPolicies(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(statementPeople)))
	makeTable(t, dynamodb.NewFromConfig(e.AWSConfigFor("ana")), "orders")
	bob := dynamodb.NewFromConfig(e.AWSConfigFor("bob"))
	run := func(statement string) error {
		_, err := bob.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &statement})
		return err
	}
	for _, statement := range []string{"INSERT INTO orders VALUE {'pk': 'bob'}", "SELECT * FROM orders WHERE pk = 'bob'",
		"SELECT * FROM orders WHERE pk IN ['bob'] AND x = 1"} {
		if err := run(statement); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
	for statement, action := range map[string]string{
		"SELECT * FROM orders":                                "dynamodb:PartiQLSelect",
		"SELECT * FROM orders WHERE x = 1":                    "dynamodb:PartiQLSelect",
		"SELECT * FROM orders WHERE pk = 'bob' OR pk = 'ana'": "dynamodb:PartiQLSelect",
		"INSERT INTO orders VALUE {'pk': 'ana'}":              "dynamodb:PartiQLInsert",
		"UPDATE orders SET x = 1 WHERE pk = 'bob'":            "dynamodb:PartiQLUpdate",
		"DELETE FROM orders WHERE pk = 'bob'":                 "dynamodb:PartiQLDelete",
	} {
		denied(t, run(statement), "AccessDeniedException", "is not authorized to perform: "+action)
	}
	out, err := bob.BatchExecuteStatement(t.Context(), &dynamodb.BatchExecuteStatementInput{
		Statements: []types.BatchStatementRequest{
			{Statement: aws.String("SELECT * FROM orders WHERE pk = 'ana'")},
			{Statement: aws.String("SELECT * FROM orders WHERE pk = 'bob'")},
		}})
	if err != nil {
		t.Fatal(err)
	}
	if e := out.Responses[0].Error; e == nil || e.Code != types.BatchStatementErrorCodeEnumAccessDenied {
		t.Errorf("another user's item: %v, want AccessDenied", e)
	}
	if e := out.Responses[1].Error; e != nil || out.Responses[1].Item == nil {
		t.Errorf("the user's own item: %v, %v", e, out.Responses[1].Item)
	}
}

// TestFaultsOfAPartitionKeyApplyToStatements throttles the PartiQL statements on one partition key.
func TestFaultsOfAPartitionKeyApplyToStatements(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithFaults(emulator.Fault{Do: emulator.DoThrottle, PartitionKey: "a",
		Operations: []string{"ExecuteStatement"}, Tables: []string{"counters"}}))
	for statement, want := range map[string]string{
		"SELECT * FROM counters WHERE id = 'a'":    "ThrottlingException",
		"INSERT INTO counters VALUE {'id': 'a'}":   "ThrottlingException",
		"UPDATE counters SET n = 1 WHERE id = 'a'": "ThrottlingException",
		"SELECT * FROM counters WHERE id = 'b'":    "<nil>",
		"INSERT INTO counters VALUE {'id': 'b'}":   "<nil>",
		"DELETE FROM counters WHERE id = 'c'":      "<nil>",
	} {
		_, err := c.db.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &statement})
		if code(err) != want {
			t.Errorf("%s: %v, want %s", statement, err, want)
		}
	}
}
