package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// photos makes an album that has more than a page: 5 photos of 300 KB.
func photos(p program) {
	p.table("photos", "album", "photo")
	for i := range 5 {
		p.put("photos", item{"album": "1", "photo": fmt.Sprint(i), "pixels": strings.Repeat("x", 300<<10)})
	}
}

func TestPageIgnored(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(program) error{
		"query": func(p program) error {
			_, err := p.Query(p.Context(), partition("photos", "album", "1"))
			return err
		},
		"count": func(p program) error {
			in := partition("photos", "album", "1")
			in.Select = types.SelectCount
			_, err := p.Query(p.Context(), in)
			return err
		},
		"scan": func(p program) error {
			_, err := p.Scan(p.Context(), &dynamodb.ScanInput{TableName: aws.String("photos")})
			return err
		},
		"PartiQL": func(p program) error {
			_, err := p.ExecuteStatement(p.Context(), &dynamodb.ExecuteStatementInput{
				Statement: aws.String(`SELECT * FROM "photos" WHERE album = '1'`)})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := wantOne(t, "page-ignored", "photos", "2 results end with a first page, and nothing reads the next one",
				func(p program) {
					photos(p)
					p.must(nil, read(p))
					p.must(nil, read(p))
					p.get("photos", item{"album": "1", "photo": "1"})
				})
			if want := "returns 4 items and says that there may be more"; f.Times != 2 || f.Shown[0].Text != want {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestPageIgnoredIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "page-ignored", map[string]func(program){
		"all pages": func(p program) {
			photos(p)
			pages := dynamodb.NewQueryPaginator(p, partition("photos", "album", "1"))
			for pages.HasMorePages() {
				p.must(pages.NextPage(p.Context()))
			}
		},
		"a search that ends when it finds something": func(p program) {
			photos(p)
			pages := dynamodb.NewScanPaginator(p, &dynamodb.ScanInput{TableName: aws.String("photos")})
			for pages.HasMorePages() {
				p.must(pages.NextPage(p.Context()))
			}
			pages = dynamodb.NewScanPaginator(p, &dynamodb.ScanInput{TableName: aws.String("photos")})
			p.must(pages.NextPage(p.Context()))
			p.get("photos", item{"album": "1", "photo": "1"})
		},
		"the first page of a list": func(p program) {
			photos(p)
			in := partition("photos", "album", "1")
			in.Limit = aws.Int32(2)
			p.must(p.Query(p.Context(), in))
			p.get("photos", item{"album": "1", "photo": "1"})
		},
		"the newest": func(p program) {
			photos(p)
			in := partition("photos", "album", "1")
			in.ScanIndexForward = aws.Bool(false)
			p.must(p.Query(p.Context(), in))
			p.get("photos", item{"album": "1", "photo": "1"})
		},
		"one page": func(p program) {
			p.table("photos", "album", "photo")
			p.put("photos", item{"album": "1", "photo": "1"})
			p.must(p.Query(p.Context(), partition("photos", "album", "1")))
			p.get("photos", item{"album": "1", "photo": "1"})
		},
		"the recording ends": func(p program) {
			photos(p)
			p.must(p.Query(p.Context(), partition("photos", "album", "1")))
		},
	})
}
