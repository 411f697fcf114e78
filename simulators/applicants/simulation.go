package applicants

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// simulation is the state that applicants, clients and reviewers share.
type simulation struct {
	cfg        Config
	env        *simenv.Environment
	clock      *sim.Clock
	ledger     *sim.Ledger
	clients    []client // by number; empty where the shard needs no key
	applicants []*applicant
	allDecided time.Duration // when the reviewers have decided all cases

	mu       sync.Mutex
	verdicts map[string]Verdict // by case: the plan's decision for the reviewers
}

// client is a company whose applicants apply through it.
type client struct{ id, key string }

// recordVerdict tells the reviewers the planned decision about a case.
func (s *simulation) recordVerdict(app *application) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verdicts[app.id] = app.Verdict
}

func (s *simulation) verdictOf(id string) (Verdict, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, known := s.verdicts[id]
	return v, known
}

// createClients creates an API key for each client of the shard, and for those whose keys try to read its cases.
func (s *simulation) createClients(ctx context.Context) error {
	s.clients = make([]client, s.cfg.Clients)
	for i := range s.clients {
		if !s.cfg.simulates(i) && !s.cfg.simulates((i+len(s.clients)-1)%len(s.clients)) {
			continue
		}
		id := fmt.Sprintf("client_%016x", sim.Mix(s.cfg.Seed, forClient, uint64(i)))
		var out struct{ APIKey string }
		_, err := s.env.Admin().Call(ctx, sim.Call{
			Method: http.MethodPost, Path: "/verification/api-keys", In: object{"clientId": id, "description": "simulated"},
			Out: &out,
		})
		if err != nil {
			return err
		}
		s.clients[i] = client{id: id, key: out.APIKey}
	}
	return nil
}

// addApplicant creates an applicant, who uses the client's key or, every other one, a session that ends after an hour.
func (s *simulation) addApplicant(plan Plan) *applicant {
	a := newApplicant(s, plan)
	key := simenv.HeaderCredential("X-API-Key", s.clients[plan.Client].key)
	credential := key
	if plan.Number%2 == 1 {
		credential = s.sessionCredential(key)
	}
	a.caller = s.env.Caller(sim.Mix(forCaller, uint64(plan.Number)), credential)
	a.reliable = s.env.Anonymous()
	a.reliable.Credential = credential
	s.applicants = append(s.applicants, a)
	return a
}

// sessionCredential opens a session with a key, and another one when it has ended.
func (s *simulation) sessionCredential(key sim.Credential) sim.Credential {
	var header http.Header
	return func(ctx context.Context, renew bool) (http.Header, error) {
		if header != nil && !renew {
			return header, nil
		}
		c := s.env.Anonymous()
		c.Credential = key
		var out struct{ Token string }
		if _, err := c.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/sessions", Out: &out}); err != nil {
			return nil, err
		}
		s.ledger.CountAction(sessionsOpened)
		header = http.Header{"Authorization": {"Session " + out.Token}}
		return header, nil
	}
}

// readAll reads a list to its last page.
func readAll(ctx context.Context, c *sim.Caller, path string, query url.Values, name string) ([]object, error) {
	var all []object
	for cursor := ""; ; {
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var page object
		if _, err := c.Call(ctx, sim.Call{Method: http.MethodGet, Path: path + "?" + query.Encode(),
			Out: &page}); err != nil {
			return nil, err
		}
		members, _ := page[name].([]any)
		for _, m := range members {
			if one, ok := m.(object); ok {
				all = append(all, one)
			}
		}
		if cursor, _ = page["nextCursor"].(string); cursor == "" {
			return all, nil
		}
	}
}

// singleAction is an actor with a single action.
type singleAction struct {
	at   time.Duration
	do   func(context.Context) error
	done bool
}

// Next returns the time of the action.
func (a *singleAction) Next() (time.Duration, bool) { return a.at, !a.done }

// Act performs the action.
func (a *singleAction) Act(ctx context.Context) error {
	a.done = true
	return a.do(ctx)
}
