package advice

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// account returns an account with a balance.
func account(balance int) item {
	return item{"id": "1", "owner": "Ada", "currency": "EUR", "branch": "Oslo", "opened": "2020-01-01", "balance": balance}
}

// accounts makes a table with an account, and does something a few times.
func accounts(do func(p program, i int)) func(program) {
	return func(p program) {
		p.table("accounts", "id")
		p.put("accounts", account(0))
		for i := range 6 {
			do(p, i)
			p.wait(time.Second / 10)
		}
	}
}

func (p program) set(expression string, values item) {
	p.Helper()
	p.must(p.UpdateItem(p.Context(), update("accounts", item{"id": "1"}, expression, values)))
}

func (p program) readAccount() map[string]types.AttributeValue {
	return p.get("accounts", item{"id": "1"})
}

func TestLostUpdate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		problem, evidence string
		do                func(p program, i int)
	}{
		"put": {"6 writes write back an item after a read, without a condition: changes in between are lost",
			"puts the item that #3 read, with another balance",
			func(p program, i int) { p.readAccount(); p.put("accounts", account(100+i*i)) }},
		"number": {"6 writes write back balance after a read, without a condition: changes in between are lost",
			"sets balance to 1, after #3 read 0",
			func(p program, i int) { p.readAccount(); p.set("SET balance = :n", item{":n": i + 1}) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := wantOne(t, "lost-update", "accounts", c.problem, accounts(c.do), stopped)
			if f.Times != 6 || f.Shown[0].Text != c.evidence {
				t.Errorf("%+v, want %q", f, c.evidence)
			}
		})
	}
}

func TestLostUpdateOfAList(t *testing.T) {
	t.Parallel()
	const problem = "5 writes write back events after a read, without a condition: changes in between are lost"
	wantOne(t, "lost-update", "accounts", problem, accounts(func(p program, i int) {
		p.readAccount()
		events := []types.AttributeValue{}
		for n := range i + 1 {
			events = append(events, attributeValue(n))
		}
		p.must(p.UpdateItem(p.Context(), &dynamodb.UpdateItemInput{TableName: aws.String("accounts"),
			Key: item{"id": "1"}.attributes(), UpdateExpression: aws.String("SET events = :e"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":e": &types.AttributeValueMemberL{Value: events}}}))
	}), stopped)
}

func TestLostUpdateIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "lost-update", map[string]func(program){
		"a condition": accounts(func(p program, i int) {
			p.readAccount()
			p.must(p.PutItem(p.Context(), &dynamodb.PutItemInput{TableName: aws.String("accounts"),
				Item: account(i + 1).attributes(), ConditionExpression: aws.String("balance = :read"),
				ExpressionAttributeValues: item{":read": i}.attributes()}))
		}),
		"DynamoDB computes": accounts(func(p program, _ int) {
			p.readAccount()
			p.set("SET balance = balance + :n", item{":n": 1})
		}),
		"a state that is reported, and read by others": accounts(func(p program, i int) {
			if i%2 == 0 {
				p.readAccount()
			}
			p.put("accounts", account(i*i+1))
		}),
		"a number that is reported, and read by others": accounts(func(p program, i int) {
			if i%2 == 0 {
				p.readAccount()
			}
			p.set("SET balance = :n", item{":n": i + 1})
		}),
		"a measured number": accounts(func(p program, i int) {
			p.readAccount()
			p.set("SET balance = :n", item{":n": []int{5, 7, 4, 9, 10, 11}[i]})
		}),
		"a time": accounts(func(p program, i int) {
			p.readAccount()
			p.set("SET seen = :n", item{":n": 1900000000 + 60*i})
		}),
		"another item": accounts(func(p program, i int) {
			p.readAccount()
			next := account(i)
			next["id"] = fmt.Sprint("next-", i)
			p.put("accounts", next)
		}),
		"a new item": accounts(func(p program, i int) {
			p.readAccount()
			p.put("accounts", item{"id": "1", "owner": fmt.Sprint(i), "currency": fmt.Sprint(i), "balance": i})
		}),
		"long after the read": accounts(func(p program, i int) {
			p.readAccount()
			p.wait(time.Minute)
			p.put("accounts", account(100+i))
		}),
		"a few times": func(p program) {
			p.table("accounts", "id")
			p.put("accounts", account(0))
			for i := range 2 {
				p.readAccount()
				p.put("accounts", account(1+i))
			}
		},
	}, stopped)
}
