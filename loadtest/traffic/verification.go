package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// verification is a population of clients with their cases.
type verification struct {
	baseSubject
	*picker
	config   Setup
	api      *api
	keys     []http.Header // by client
	keyIDs   []string
	cases    [][]string // by client
	reviewer http.Header
	day      string
}

func newVerification(c Setup) *verification {
	n := c.Profile.Population["clients"]
	return &verification{picker: newPicker(c.Seed), config: c, api: newAPI(c), keys: make([]http.Header, n),
		keyIDs: make([]string, n), cases: make([][]string, n)}
}

// Prepare creates the clients' API keys and their cases.
func (v *verification) Prepare(ctx context.Context, done func(done, total int)) (err error) {
	perClient := v.config.Profile.Population["cases"]
	step := progressStep(len(v.keys)*(1+perClient), done)
	if v.reviewer, err = v.api.token(ctx, "load-reviewer", "reviewer"); err != nil {
		return err
	}
	v.day = time.Now().UTC().Format(time.DateOnly)
	return forEach(ctx, len(v.keys), step, func(ctx context.Context, i int) error {
		if err := v.createKey(ctx, i); err != nil {
			return err
		}
		for n := range perClient {
			if err := v.createCase(ctx, i, n); err != nil {
				return err
			}
			step()
		}
		return nil
	})
}

// createKey creates the API key of a client.
func (v *verification) createKey(ctx context.Context, i int) error {
	var made struct {
		ID  string `json:"keyId"`
		Key string `json:"apiKey"`
	}
	body := map[string]string{"description": fmt.Sprintf("load test %s, client %d", v.config.Profile.ID, i+1)}
	err := v.api.do(ctx, call{http.MethodPost, "/verification/api-keys", body}, v.api.adminHeader(), &made)
	if sim.IsUnauthorized(err) {
		return fmt.Errorf("the backend at %s rejects the admin token; use the one that it was started with", v.config.BaseURL)
	}
	v.keyIDs[i], v.keys[i] = made.ID, http.Header{"X-Api-Key": {made.Key}}
	return err
}

// createCase creates a case of a client.
func (v *verification) createCase(ctx context.Context, i, n int) error {
	var made struct {
		ID string `json:"verificationId"`
	}
	header := v.keys[i].Clone()
	header.Set("Idempotency-Key", fmt.Sprintf("load-%d-%d", i, n))
	err := v.api.do(ctx, newCase(n), header, &made)
	v.cases[i] = append(v.cases[i], made.ID)
	return err
}

func newCase(n int) call {
	return call{http.MethodPost, "/verification/cases", map[string]any{
		"documentType": []string{"omang", "passport", "drivers_license", "id_card"}[n%4],
		"customerMetadata": map[string]string{
			"email": fmt.Sprintf("customer.%06d@example.com", n), "phone": fmt.Sprintf("+2677%07d", n%10_000_000),
			"externalId": fmt.Sprintf("cust_%d", n), "redirectUrl": "https://client.example.com/callback",
		},
	}}
}

// verificationPopulation is what other shards need.
type verificationPopulation struct {
	Keys  []http.Header `json:"keys"`  // by client
	Cases [][]string    `json:"cases"` // by client
	Day   string        `json:"day"`
}

// Population returns the API keys and the cases of the clients.
func (v *verification) Population() any { return verificationPopulation{v.keys, v.cases, v.day} }

// Join gets a token for the reviewer.
func (v *verification) Join(ctx context.Context, population json.RawMessage) (err error) {
	var p verificationPopulation
	if err := json.Unmarshal(population, &p); err != nil {
		return err
	}
	v.keys, v.cases, v.day = p.Keys, p.Cases, p.Day
	v.reviewer, err = v.api.token(ctx, "load-reviewer", "reviewer")
	return err
}

func (v *verification) next(number int, p profile.Part) draft {
	i := v.pick(number, p, len(v.keys))
	c, header := v.call(i, p.Request), v.keys[i]
	if p.Request == "day" {
		header = v.reviewer
	}
	idempotencyKey := ""
	if p.Request == "create" {
		idempotencyKey = uuid.Must(uuid.NewRandomFromReader(v.source)).String()
	}
	return func(context.Context) (request, error) {
		r, err := c.encoded(v.config.BaseURL)
		if err != nil {
			return request{}, err
		}
		for name, values := range header {
			r.header[name] = values
		}
		if idempotencyKey != "" {
			r.header.Set("Idempotency-Key", idempotencyKey)
		}
		return r, nil
	}
}

// call returns a request of a kind about a client, and one of the client's cases.
func (v *verification) call(i int, request string) call {
	one := ""
	if all := v.cases[i]; len(all) > 0 {
		one = "/verification/cases/" + all[v.rand.IntN(len(all))]
	}
	switch request {
	case "create":
		return newCase(v.rand.IntN(1_000_000))
	case "announce":
		return call{http.MethodPost, one + "/documents", map[string]any{"documentType": "selfie", "fileSize": 482_133,
			"mimeType": "image/jpeg"}}
	case "documents":
		return call{http.MethodGet, one + "/documents", nil}
	case "cases":
		return call{http.MethodGet, "/verification/cases?limit=20", nil}
	case "status":
		return call{http.MethodGet, "/verification/cases?status=created&limit=20", nil}
	case "day":
		return call{http.MethodGet, "/verification/review/cases?limit=20&date=" + v.day, nil}
	}
	return call{http.MethodGet, one, nil}
}

// Close revokes the keys, even after the context ended.
func (v *verification) Close(ctx context.Context) error {
	defer v.api.close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, id := range v.keyIDs {
		if id == "" {
			continue
		}
		if _, err := v.api.client.Do(ctx, sim.Call{Method: http.MethodDelete, Path: "/verification/api-keys/" + id,
			Header: v.api.adminHeader()}); err != nil {
			break // keys left active are less bad than a lost report
		}
	}
	return nil
}
