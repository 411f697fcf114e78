package advice

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// customers makes a table of 200 customers in 100 cities.
func customers(t *testing.T, db *dynamodb.Client) {
	t.Helper()
	newTable(t, db, "customers", "id")
	for i := range 200 {
		put(t, db, "customers", map[string]string{"id": fmt.Sprint(i), "city": fmt.Sprint("city-", i%100)})
	}
}

func scanCity(t *testing.T, db *dynamodb.Client, city string) {
	t.Helper()
	in := &dynamodb.ScanInput{TableName: aws.String("customers"), FilterExpression: aws.String("city = :c"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":c": &types.AttributeValueMemberS{Value: city}}}
	if _, err := db.Scan(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func TestScanForFew(t *testing.T) {
	t.Parallel()
	const problem = "3 scans read 600 items to return 6"
	wantFinding(t, "scan-for-few", "customers", problem, func(t *testing.T, db *dynamodb.Client) {
		customers(t, db)
		for i := range 3 {
			scanCity(t, db, fmt.Sprint("city-", i))
		}
	})
}

func TestScanForFewLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*testing.T, *dynamodb.Client){
		"a single scan": func(t *testing.T, db *dynamodb.Client) {
			customers(t, db)
			scanCity(t, db, "city-1")
		},
		"an export": func(t *testing.T, db *dynamodb.Client) {
			customers(t, db)
			for range 5 {
				if _, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("customers")}); err != nil {
					t.Fatal(err)
				}
			}
		},
		"a small table": func(t *testing.T, db *dynamodb.Client) {
			newTable(t, db, "customers", "id")
			put(t, db, "customers", map[string]string{"id": "1", "city": "Oslo"})
			for i := range 19 {
				put(t, db, "customers", map[string]string{"id": fmt.Sprint(2 + i), "city": "Oslo"})
			}
			for range 20 {
				scanCity(t, db, "Rome")
			}
		},
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothing(t, "scan-for-few", program)
		})
	}
}
