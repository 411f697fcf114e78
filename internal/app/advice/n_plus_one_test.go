package advice

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// baskets makes three baskets with twelve products each, and visits each product of each basket, as named there.
func baskets(p program, visit func(product item)) {
	p.table("baskets", "basket", "line")
	p.table("products", "id")
	for basket := range 3 {
		for line := range 12 {
			id := fmt.Sprintf("product-%d", basket*12+line)
			p.put("baskets", item{"basket": fmt.Sprint(basket), "line": fmt.Sprint(line), "product": id})
			p.put("products", item{"id": id})
		}
	}
	for basket := range 3 {
		out, err := dynamodb.NewQueryPaginator(p, partition("baskets", "basket", fmt.Sprint(basket))).NextPage(p.Context())
		p.must(out, err)
		for _, line := range out.Items {
			p.wait(time.Millisecond)
			visit(item{"id": line["product"].(*types.AttributeValueMemberS).Value})
		}
	}
}

func (p program) remove(table string, key item) {
	p.Helper()
	p.must(p.DeleteItem(p.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: key.attributes()}))
}

func TestNPlusOne(t *testing.T) {
	t.Parallel()
	for operation, visit := range map[string]func(program, item){
		"GetItem":    func(p program, product item) { p.get("products", product) },
		"DeleteItem": func(p program, product item) { p.remove("products", product) },
	} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			problem := fmt.Sprintf("3 results are followed by a %s for each item, 36 in all", operation)
			f := wantOne(t, "n-plus-one", "products", problem, func(p program) {
				baskets(p, func(product item) { visit(p, product) })
			}, stopped)
			want := fmt.Sprintf("is followed by 12 %s, one after the other, until #87", operation)
			if f.Times != 3 || f.Shown[0].Operation != "Query" || f.Shown[0].Text != want {
				t.Errorf("%+v, want %q", f, want)
			}
		})
	}
}

func TestNPlusOneIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "n-plus-one", map[string]func(program){
		"a batch": func(p program) {
			baskets(p, func(product item) {
				p.must(p.BatchGetItem(p.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
					"products": {Keys: []map[string]types.AttributeValue{product.attributes()}}}}))
			})
		},
		"requests at the same time": func(p program) {
			p.concurrent = true
			baskets(p, func(product item) { p.get("products", product) })
		},
		"other items": func(p program) {
			n := 0
			baskets(p, func(item) { n++; p.get("products", item{"id": fmt.Sprint(n)}) })
		},
		"something else in between": func(p program) {
			baskets(p, func(product item) {
				p.get("products", product)
				p.must(p.UpdateItem(p.Context(), update("products", product, "SET seen = :n", item{":n": 1})))
			})
		},
		"the same item": func(p program) { baskets(p, func(item) { p.get("products", item{"id": "product-0"}) }) },
		"deletions with a condition": func(p program) {
			baskets(p, func(product item) {
				p.must(p.DeleteItem(p.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("products"),
					Key: product.attributes(), ConditionExpression: aws.String("attribute_exists(id)")}))
			})
		},
		"a few items": func(p program) {
			n := 0
			baskets(p, func(product item) {
				if n++; n%2 == 0 {
					p.get("products", product)
				} else {
					p.get("baskets", item{"basket": "0", "line": "0"})
				}
			})
		},
	}, stopped)
}
