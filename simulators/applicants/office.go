package applicants

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// office is what applicants, clients and reviewers share.
type office struct {
	venue      *venue.Venue
	clock      *sim.Clock
	ledger     *sim.Ledger
	clients    []client
	applicants []*applicant
	decided    time.Duration // when the reviewers have decided all cases

	mu      sync.Mutex
	verdict map[string]Verdict // by case: the plan's decision for the reviewers
}

// client is a company whose applicants apply through it.
type client struct{ id, key string }

// enter tells the reviewers the planned decision about a case.
func (o *office) enter(of *application) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.verdict[of.id] = of.Verdict
}

func (o *office) finds(id string) (Verdict, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	v, known := o.verdict[id]
	return v, known
}

// enrol creates the clients, each with an API key.
func (o *office) enrol(ctx context.Context, seed uint64, n int) error {
	for i := range n {
		id := fmt.Sprintf("client_%016x", sim.Mix(seed, forClient, uint64(i)))
		var out struct{ APIKey string }
		_, err := o.venue.Admin().Call(ctx, sim.Call{
			Method: http.MethodPost, Path: "/verification/api-keys", In: thing{"clientId": id, "description": "simulated"},
			Out: &out,
		})
		if err != nil {
			return err
		}
		o.clients = append(o.clients, client{id: id, key: out.APIKey})
	}
	return nil
}

// admit creates an applicant, who uses the client's key or, every other one, a session that ends after an hour.
func (o *office) admit(plan Plan) *applicant {
	a := newApplicant(o, plan)
	key := venue.Header("X-API-Key", o.clients[plan.Client].key)
	credential := key
	if plan.Number%2 == 1 {
		credential = o.session(key)
	}
	a.caller = o.venue.Caller(sim.Mix(forCaller, uint64(plan.Number)), credential)
	a.sure = o.venue.Observer()
	a.sure.Credential = credential
	o.applicants = append(o.applicants, a)
	return a
}

// session opens a session with a key, and another one when it has ended.
func (o *office) session(key sim.Credential) sim.Credential {
	var header http.Header
	return func(ctx context.Context, renew bool) (http.Header, error) {
		if header != nil && !renew {
			return header, nil
		}
		c := o.venue.Observer()
		c.Credential = key
		var out struct{ Token string }
		if _, err := c.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/sessions", Out: &out}); err != nil {
			return nil, err
		}
		o.ledger.Did(sessions)
		header = http.Header{"Authorization": {"Session " + out.Token}}
		return header, nil
	}
}

// all reads a list to its last page.
func all(ctx context.Context, c *sim.Caller, path string, query url.Values, name string) ([]thing, error) {
	var everything []thing
	for cursor := ""; ; {
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var page thing
		if _, err := c.Call(ctx, sim.Call{Method: http.MethodGet, Path: path + "?" + query.Encode(),
			Out: &page}); err != nil {
			return nil, err
		}
		members, _ := page[name].([]any)
		for _, m := range members {
			if one, ok := m.(thing); ok {
				everything = append(everything, one)
			}
		}
		if cursor, _ = page["nextCursor"].(string); cursor == "" {
			return everything, nil
		}
	}
}

// once is an actor with a single action.
type once struct {
	at   time.Duration
	do   func(context.Context) error
	done bool
}

// Next returns the time of the action.
func (a *once) Next() (time.Duration, bool) { return a.at, !a.done }

// Act performs the action.
func (a *once) Act(ctx context.Context) error {
	a.done = true
	return a.do(ctx)
}
