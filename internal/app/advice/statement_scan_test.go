package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// books makes 40 books of 1 KB, and executes statements about them.
func books(statements ...string) func(program) {
	return func(p program) {
		p.table("books", "id")
		for i := range 40 {
			p.put("books", item{"id": fmt.Sprint(i), "author": fmt.Sprint(i), "text": strings.Repeat("x", 1000)})
		}
		for _, s := range statements {
			p.must(p.ExecuteStatement(p.Context(), &dynamodb.ExecuteStatementInput{Statement: aws.String(s)}))
		}
	}
}

// often returns a statement four times, with different values for %d.
func often(statement string) (all []string) {
	for i := range 4 {
		all = append(all, strings.ReplaceAll(statement, "%d", fmt.Sprint(i)))
	}
	return all
}

func TestStatementScan(t *testing.T) {
	t.Parallel()
	const problem = "4 statements scan for what takes 4056 of the 163840 bytes that they read"
	f := wantOne(t, "statement-scan", "books", problem, books(often(`SELECT * FROM "books" WHERE author = '%d'`)...))
	if want := "consumes 5 units and returns 1 item"; f.Times != 4 || f.Shown[0].Text != want || f.Monthly <= 0 {
		t.Errorf("%+v, want %q", f, want)
	}
}

func TestStatementScanIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "statement-scan", map[string]func(program){
		"a key":        books(often(`SELECT * FROM "books" WHERE "id" = '%d'`)...),
		"several keys": books(often(`SELECT * FROM books WHERE id IN ['%d', '7']`)...),
		"a key and more": func(p program) {
			p.table("books", "shelf", "id")
			for i := range 40 {
				p.put("books", item{"shelf": "1", "id": fmt.Sprint(i), "author": fmt.Sprint(i), "text": strings.Repeat("x", 1000)})
			}
			for _, s := range often(`SELECT * FROM books WHERE author = '%d' AND "shelf" = '1'`) {
				p.must(p.ExecuteStatement(p.Context(), &dynamodb.ExecuteStatementInput{Statement: aws.String(s)}))
			}
		},
		"an export":     books(often(`SELECT * FROM "books"`)...),
		"a single scan": books(`SELECT * FROM "books" WHERE author = '1'`),
		"a small table": func(p program) {
			p.table("books", "id")
			for i := range 10 {
				p.put("books", item{"id": fmt.Sprint(i)})
				p.must(p.ExecuteStatement(p.Context(), &dynamodb.ExecuteStatementInput{
					Statement: aws.String(`SELECT * FROM "books" WHERE author = 'x'`)}))
			}
		},
	})
}
