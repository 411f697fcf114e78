package brewers

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Tampering with the table behind the brewers' backs is detected, and so is a push that arrives twice.
func TestTamperingIsDetected(t *testing.T) {
	t.Parallel()
	cfg := Config{Config: simenv.Config{Seed: 2}, Brewers: 2, Duration: minDuration, Schedulers: 1}
	env, err := simenv.Open(t.Context(), "kefir", cfg.Config, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = env.Close() })
	s, err := play(t.Context(), env, cfg)
	if err != nil {
		t.Fatal(err)
	}
	tamper(t, env, s)
	res, err := s.compareAll(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	faults := strings.Join(res.Faults, "\n")
	for _, want := range []string{"lost: event", "changed: batch", "unexpected: phone", "duplicated: push message",
		"lost: items of BATCH#", "unexpected: items of USER#"} {
		if !strings.Contains(faults, want) {
			t.Errorf("not found out: %s\n%s", want, faults)
		}
	}
	if res.Err() == nil {
		t.Error("the verdict is good")
	}
}

// tamper deletes an event, changes a batch, adds a phone and delivers a push again.
func tamper(t *testing.T, env *simenv.Environment, s *simulation) {
	t.Helper()
	table := kefir.Schema(env.Embedded.Backend.TablePrefix).Tables[0].Name()
	items, err := env.Embedded.Scan(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]bool{}
	for _, item := range items {
		sk := item["SK"].(*types.AttributeValueMemberS).Value
		kind, _, _ := strings.Cut(sk, "#")
		if done[kind] {
			continue
		}
		done[kind] = true
		switch kind {
		case "EVENT":
			_, err = env.Embedded.DynamoDB.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
				TableName: &table, Key: map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]},
			})
		case "BATCH":
			item["sugarGrams"] = &types.AttributeValueMemberN{Value: "1"}
			_, err = env.Embedded.DynamoDB.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		case "DEVICE":
			item["SK"] = &types.AttributeValueMemberS{Value: "DEVICE#another"}
			item["deviceId"] = &types.AttributeValueMemberS{Value: "another"}
			_, err = env.Embedded.DynamoDB.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	first := env.Embedded.Gateway.Deliveries(0, 1)[0]
	expo := push.NewExpo(env.Embedded.Backend.PushURL, nil, simenv.NoWait)
	if sent, err := expo.Send(t.Context(), []push.Message{{To: first.Token, Body: first.Body}}); err != nil ||
		sent[0].Err != nil {
		t.Fatal(sent, err)
	}
}

// TestAnAccountWithDataLeftIsNotCountedAsEmpty checks the account of a brewer who left, with nothing and with objects.
func TestAnAccountWithDataLeftIsNotCountedAsEmpty(t *testing.T) {
	t.Parallel()
	for objects, want := range map[int][2]int64{0: {1, 0}, 2: {0, 1}} {
		var res sim.Result
		b := &brewer{sim: &simulation{ledger: newLedger(false)}}
		if err := b.checkDeleted(t.Context(), objects); err != nil {
			t.Fatal(err)
		}
		b.sim.ledger.CopyTo(&res)
		counts := map[string]int64{}
		for _, c := range res.Checks {
			counts[c.Name] = c.N
		}
		if got := [2]int64{counts[emptyAccounts], counts[sim.Unexpected]}; got != want {
			t.Errorf("%d objects left: accounts without data and faults %d, want %d", objects, got, want)
		}
	}
}
