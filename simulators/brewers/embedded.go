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
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// scheduler is an instance of the reminder scheduler that runs at each tick. It is a sim.Actor.
type scheduler struct {
	run        func(context.Context) error
	next, last time.Duration
}

// newScheduler returns an instance with its own service and sender, as in another process.
func newScheduler(e *simenv.Embedded, duration time.Duration) (*scheduler, error) {
	cfg := e.InstanceConfig()
	service, err := kefir.New(kefir.Config{
		Client: e.DynamoDB, TablePrefix: cfg.TablePrefix, AdminToken: cfg.AdminToken, Tokens: cfg.Tokens, Now: cfg.Now,
		Logger: cfg.Logger,
	})
	if err != nil {
		return nil, err
	}
	instance := kefir.NewScheduler(service, push.NewExpo(cfg.PushURL, nil, simenv.NoWait))
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

// gatewayTokens returns PushTokens that the gateway issues.
func gatewayTokens(g *pushgateway.Gateway) PushTokens {
	return func(phone, platform string, _ time.Duration) (string, error) {
		if _, known := g.Phone(phone); known {
			p, _ := g.Rotate(phone)
			return p.ExpoToken, nil
		}
		p, err := g.Install(phone, platform, "")
		return p.ExpoToken, err
	}
}

// fakeTokens returns PushTokens that no service knows, for a backend that sends its pushes elsewhere.
func fakeTokens(seed uint64) PushTokens {
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
func (s *simulation) compareMessages(arrived []pushgateway.Delivery) {
	want := map[string]object{}
	for _, b := range s.brewers {
		for _, r := range b.reminders {
			if r.expected(s)["status"] != "sent" || !b.plan.Notifications {
				continue
			}
			for _, p := range r.recipients {
				want[fmt.Sprint(p.id, " ", r.want["message"])] = object{
					"token": p.token, "data": object{"type": "reminder", "reminderId": r.id, "batchId": r.batch.id},
				}
			}
		}
	}
	sim.Compare(s.ledger, "push message", messages, want, arrived, func(d pushgateway.Delivery) string {
		return d.Phone + " " + d.Body
	})
}

// compareTable counts the items of the table, bypassing the backend: it contains what the brewers have, and nothing
// else.
func (s *simulation) compareTable(ctx context.Context, e *simenv.Embedded) error {
	all, err := e.Scan(ctx, kefir.Schema(e.Backend.TablePrefix).Tables[0].Name())
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, item := range all {
		counts[kindOf(item)]++
	}
	for kind, n := range s.expectedItems() {
		if counts[kind] < n {
			s.ledger.ReportFault(sim.Lost, "items of %s in the table: %d of %d", kind, counts[kind], n)
		} else if counts[kind] > n {
			s.ledger.ReportFault(sim.Unexpected, "items of %s in the table: %d, want %d", kind, counts[kind], n)
		}
		for range min(n, counts[kind]) {
			s.ledger.CountMatch(items)
		}
		delete(counts, kind)
	}
	for kind, n := range counts {
		s.ledger.ReportFault(sim.Unexpected, "items of %s in the table: %d", kind, n)
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

// expectedItems returns the expected number of items of each kind.
func (s *simulation) expectedItems() map[string]int {
	want := map[string]int{"SCHEDULER#reminders METADATA": 1}
	for _, b := range s.brewers {
		if b.deleted || b.profile == nil {
			continue
		}
		user := "USER#" + b.plan.UserID
		want[user+" METADATA"]++
		for range b.phones {
			want[user+" DEVICE"]++
		}
		for _, batch := range b.batches {
			want[user+" BATCH"]++
			want["BATCH#"+batch.id+" EVENT"] += len(batch.events)
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
