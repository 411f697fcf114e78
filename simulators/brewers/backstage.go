package brewers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// scheduler is an instance of the reminder scheduler that runs at each tick. It is a sim.Actor.
type scheduler struct {
	run        func(context.Context) error
	next, last time.Duration
}

// newScheduler returns an instance with its own service and sender, as in another process.
func newScheduler(e *venue.Embedded, duration time.Duration) (*scheduler, error) {
	cfg := e.Instance()
	service, err := kefir.New(kefir.Config{
		Client: e.DynamoDB, TablePrefix: cfg.TablePrefix, AdminToken: cfg.AdminToken, Tokens: cfg.Tokens, Now: cfg.Now,
		Logger: cfg.Logger,
	})
	if err != nil {
		return nil, err
	}
	instance := kefir.NewScheduler(service, push.NewExpo(cfg.PushURL, nil, venue.NoPause))
	return &scheduler{last: duration, run: func(ctx context.Context) error {
		_, err := instance.RunOnce(ctx)
		return err
	}}, nil
}

// Next returns the next tick, until the simulation is over.
func (s *scheduler) Next() (time.Duration, bool) { return s.next, s.next <= s.last }

// Act sends what is due.
func (s *scheduler) Act(ctx context.Context) error {
	s.next += tick
	return s.run(ctx)
}

// installed returns PushTokens that the gateway issues.
func installed(g *pushgateway.Gateway) PushTokens {
	return func(phone, platform string, _ time.Duration) (string, error) {
		if _, there := g.Phone(phone); there {
			p, _ := g.Rotate(phone)
			return p.ExpoToken, nil
		}
		p, err := g.Install(phone, platform, "")
		return p.ExpoToken, err
	}
}

// madeUp returns PushTokens that no service knows, for a backend that sends its pushes elsewhere.
func madeUp(seed uint64) PushTokens {
	return func(phone, _ string, at time.Duration) (string, error) {
		parts := []uint64{seed, forToken, uint64(at)}
		for _, c := range []byte(phone) {
			parts = append(parts, uint64(c))
		}
		return fmt.Sprintf("ExponentPushToken[%016x]", sim.Mix(parts...)), nil
	}
}

// compareMessages compares the delivered pushes with the expected ones: one for each reminder that fell due, on each
// phone that its brewer had then, and none for a cancelled reminder.
func (t *town) compareMessages(arrived []pushgateway.Delivery) {
	want := map[string]thing{}
	for _, b := range t.brewers {
		for _, r := range b.reminders {
			if r.expected(t)["status"] != "sent" || !b.plan.Notifications {
				continue
			}
			for _, p := range r.rings {
				want[fmt.Sprint(p.id, " ", r.want["message"])] = thing{
					"token": p.token, "data": thing{"type": "reminder", "reminderId": r.id, "batchId": r.batch.id},
				}
			}
		}
	}
	sim.Compare(t.ledger, "push message", messages, want, arrived, func(d pushgateway.Delivery) string {
		return d.Phone + " " + d.Body
	})
}

// compareTable counts the items of the table, bypassing the backend: it contains what the brewers have, and nothing
// else.
func (t *town) compareTable(ctx context.Context, e *venue.Embedded) error {
	all, err := e.Scan(ctx, kefir.Schema(e.Backend.TablePrefix).Tables[0].Name())
	if err != nil {
		return err
	}
	there := map[string]int{}
	for _, item := range all {
		there[kindOf(item)]++
	}
	for kind, n := range t.itemsWanted() {
		if there[kind] < n {
			t.ledger.Fault(sim.Lost, "items of %s in the table: %d of %d", kind, there[kind], n)
		} else if there[kind] > n {
			t.ledger.Fault(sim.Foreign, "items of %s in the table: %d, want %d", kind, there[kind], n)
		}
		for range min(n, there[kind]) {
			t.ledger.Found(items)
		}
		delete(there, kind)
	}
	for kind, n := range there {
		t.ledger.Fault(sim.Foreign, "items of %s in the table: %d", kind, n)
	}
	return nil
}

// kindOf returns the partition and the kind of an item, such as USER#ana BATCH.
func kindOf(item map[string]types.AttributeValue) string {
	pk, _ := item["PK"].(*types.AttributeValueMemberS)
	sk, _ := item["SK"].(*types.AttributeValueMemberS)
	if pk == nil || sk == nil {
		return "no key"
	}
	kind, _, _ := strings.Cut(sk.Value, "#")
	return pk.Value + " " + kind
}

// itemsWanted returns the expected number of items of each kind.
func (t *town) itemsWanted() map[string]int {
	want := map[string]int{"SCHEDULER#reminders METADATA": 1}
	for _, b := range t.brewers {
		if b.left || b.profile == nil {
			continue
		}
		user := "USER#" + b.plan.UserID
		want[user+" METADATA"]++
		for range b.phones {
			want[user+" DEVICE"]++
		}
		for _, at := range b.batches {
			want[user+" BATCH"]++
			want["BATCH#"+at.id+" EVENT"] += len(at.events)
		}
		for _, r := range b.reminders {
			want["BATCH#"+r.batch.id+" REMINDER"]++
		}
	}
	for kind, n := range want {
		if n == 0 {
			delete(want, kind)
		}
	}
	return want
}
