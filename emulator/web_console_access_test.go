package emulator_test

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// TestConsoleExplainsDenials denies a request, whose stream says what was denied, and explains it, before and after the
// table gets a policy that allows it.
func TestConsoleExplainsDenials(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	port := e.DynamoDBURL()
	ana, bob := signIn(t, e, port, anasKey), signIn(t, e, port, bobsKey)
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",`+ordersPK+`}`, "Cookie", ana)
	requests := watch(t, e, port, "requests")
	browse(t, e, port, "POST", dynamoPath+"PutItem", `{"TableName":"orders","Item":{"pk":{"S":"ana"}}}`, "Cookie", bob)
	const arn = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
	const access = `{"action":"dynamodb:PutItem","resource":"` + arn + `","context":{`
	event := requests.next()
	at := strings.Index(event, access)
	if at < 0 || !strings.Contains(event, `"dynamodb:LeadingKeys":["ana"]`) {
		t.Fatal(event)
	}
	question, _, _ := strings.Cut(event[at:], "}}")
	explain := func(want string) {
		t.Helper()
		a := browse(t, e, port, "POST", consolePath+"api/access/explain", question+"}}", "Cookie", bob)
		if a.status != 200 || !strings.Contains(a.body, want) {
			t.Errorf("%d %s, want %s", a.status, a.body, want)
		}
	}
	explain("wants ${aws:username}: it is ana")
	operate(t, e, "PutResourcePolicy", `{"ResourceArn":"`+arn+`","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":`+
		`{\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"arn:aws:iam::123456789012:user/bob\"},\"Action\":\"dynamodb:PutItem\",`+
		`\"Resource\":\"*\"}}"}`, "Cookie", ana)
	explain(`"allowed":true,"summary":"allowed by the policy of orders, Statement[0] (resource-based policy)"`)
}

// TestWhoMayAskAboutAccess asks about the access of oneself and of others, as several users, and without identities.
func TestWhoMayAskAboutAccess(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	open := emulator.Run(t, console.Option())
	ana, bob := signIn(t, e, e.DynamoDBURL(), anasKey), signIn(t, e, e.DynamoDBURL(), bobsKey)
	const arn = "arn:aws:iam::123456789012:"
	question := func(who string) string {
		return `{"principal":"` + who + `","action":"dynamodb:GetItem","resource":"arn:aws:dynamodb:us-east-1:123456789012:table/orders",` +
			`"context":{"dynamodb:LeadingKeys":["bob"]}}`
	}
	for _, c := range []struct {
		to                         *emulator.Emulator
		method, path, cookie, body string
		status                     int
		want                       string
	}{
		{e, "POST", "access/explain", bob, question(""), 200, `"allowed":true,"summary":"allowed by own, Statement[0]`},
		{e, "POST", "access/explain", bob, question(arn + "user/bob"), 200, `"decides":true`},
		{e, "POST", "access/explain", bob, question(arn + "user/ana"), 403, "iam:SimulatePrincipalPolicy"},
		{e, "POST", "access/explain", bob, question(arn + "user/nobody"), 403, "your own access"},
		{e, "POST", "access/explain", ana, question(arn + "user/bob"), 200, `"allowed":true`},
		{e, "POST", "access/explain", ana, question("arn:aws:sts::123456789012:assumed-role/reader/x"), 200, `"statements":[`},
		{e, "POST", "access/explain", ana, question(arn + "user/nobody"), 404, "not among the identities"},
		{e, "POST", "access/explain", ana, `{"action":"dynamodb:GetItem"}`, 400, "the body must be"},
		{e, "POST", "access/explain", "", question(""), 401, "nobody has signed in"},
		{e, "GET", "access/explain", ana, "", 405, "use POST"},
		{e, "POST", "access", ana, "{}", 405, "use GET"},
		{e, "GET", "access/other", ana, "", 404, "access/other"},
		{e, "GET", "access", bob, "", 200, `[{"arn":"arn:aws:iam::123456789012:user/bob","name":"bob","kind":"users","policies":["own"]}]`},
		{e, "GET", "access", ana, "", 200, `"policies":["AdministratorAccess"]},{"arn":"arn:aws:iam::123456789012:user/bob"`},
		{open, "GET", "access", "", "", 409, "there are no identities"},
		{open, "POST", "access/explain", "", question(""), 409, "there are no identities"},
	} {
		a := browse(t, c.to, c.to.DynamoDBURL(), c.method, consolePath+"api/"+c.path, c.body, "Cookie", c.cookie)
		if a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%s %s %s: %d %s, want %d %s", c.method, c.path, c.body, a.status, a.body, c.status, c.want)
		}
	}
}
