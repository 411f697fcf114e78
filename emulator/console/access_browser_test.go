//go:build browser

package console_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
)

// shop has an administrator, and a user who may read only her own orders.
const shop = `
users:
  admin:
    keys: [{id: AKIAIOSFODNN7EXAMPLE, secret: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY}]
    policies: [AdministratorAccess]
  ana:
    keys: [{id: AKIAI44QH8DHBEXAMPLE, secret: je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY}]
    policies: [OwnOrders]
policies:
  OwnOrders:
    Version: "2012-10-17"
    Statement:
      - Sid: OwnPartition
        Effect: Allow
        Action: [dynamodb:GetItem, dynamodb:DescribeTable]
        Resource: arn:aws:dynamodb:*:*:table/orders
        Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}
`

// signIn signs a user in, by the id of the user's access key.
func (b *browser) signIn(id, secret string) {
	b.t.Helper()
	b.fill("Access key ID", id)
	b.fill("Secret access key", secret)
	b.click("Sign in")
}

// TestWhyDenied asks why a request of another client was denied, with the values of its conditions.
func TestWhyDenied(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithIdentitiesFrom(strings.NewReader(shop)))
	ordersTable(t, b.emulator, func(o *dynamodb.Options) { o.Credentials = b.emulator.AWSConfigFor("admin").Credentials })
	b.signIn("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
	b.sees("by-state")
	b.visit("/live")
	b.sees("Waiting for requests")
	_, err := dynamodb.NewFromConfig(b.emulator.AWSConfigFor("ana")).GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("orders"), Key: item{"customer": text("bob"), "number": number("1")}})
	if err == nil {
		t.Fatal("ana may read bob's orders")
	}
	b.sees("AccessDeniedException")
	b.click("GetItem")
	b.click("Why was this denied?")
	b.sees("Denied no identity-based policy allows it", "Closest allow: OwnOrders, statement OwnPartition",
		"ForAllValues:StringEquals of dynamodb:LeadingKeys wants ${aws:username}: it is bob")
	b.check("explanation")
}

// TestAskAboutAccess asks about oneself and others: only an administrator may do the latter.
func TestAskAboutAccess(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithIdentitiesFrom(strings.NewReader(shop)))
	b.signIn("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
	b.click("Access")
	b.fill("Who", "user/ana")
	b.fill("Resource", "arn:aws:dynamodb:us-east-1:000000000000:table/orders")
	b.fill("Condition values", "dynamodb:LeadingKeys = ana")
	b.click("Explain")
	b.sees("Allowed by OwnOrders, statement OwnPartition", "decides")
	b.fill("Condition values", "dynamodb:LeadingKeys")
	b.click("Explain")
	b.sees("KEY = VALUE")
	b.fill("Condition values", "")
	b.fill("Action", "dynamodb:PutItem")
	b.click("Explain")
	b.sees("Denied no identity-based policy allows it", "the action dynamodb:PutItem is not dynamodb:GetItem")
	for _, width := range []int64{1280, 390} {
		for _, theme := range []string{"light", "dark"} {
			b.look(width, theme)
			b.check(theme)
		}
	}
	b.look(1280, "light")
	b.click("admin")
	b.click("Sign out")
	b.signIn("AKIAI44QH8DHBEXAMPLE", "je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY")
	b.click("Access")
	b.sees("You see only your own access", "user/ana")
	b.misses("user/admin")
}

// TestAccessWithoutIdentities sees that nothing is denied.
func TestAccessWithoutIdentities(t *testing.T) {
	t.Parallel()
	b := open(t, "/access")
	b.sees("There are no identities", "--identities FILE")
}
