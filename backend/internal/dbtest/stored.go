package dbtest

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("rewrite", false, "write the stored form of items anew")

// CheckStoredForm compares the items of tables with testdata/stored.json, one item per line in DynamoDB's JSON. This
// stored form is a contract: programs of other versions read it, and policies, indexes and TTL depend on it.
func CheckStoredForm(t *testing.T, client *dynamodb.Client, tables ...string) {
	t.Helper()
	var lines []string
	for _, table := range tables {
		pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &table})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range page.Items {
				text, err := attributevalue.MarshalMapJSON(item)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, sortedJSON(t, text))
			}
		}
	}
	slices.Sort(lines) // the order of partitions is arbitrary
	name := filepath.Join("testdata", "stored.json")
	if *rewrite {
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(string(want)), "\n"), lines); diff != "" {
		t.Errorf("%s (-rewrite accepts what is stored now):\n%s", name, diff)
	}
}

// sortedJSON returns a JSON object with its members ordered by name.
func sortedJSON(t *testing.T, text []byte) string {
	t.Helper()
	var members map[string]map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
