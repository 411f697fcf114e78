package traffic

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// kefir is a population of users with their batches.
type kefir struct {
	*users
	batches [][]string // by user
	status  map[string]int
	now     time.Time
}

func newKefir(c Setup) *kefir {
	k := &kefir{users: newUsers(c), status: map[string]int{}, now: time.Now().UTC().Truncate(time.Second)}
	k.batches = make([][]string, len(k.tokens))
	return k
}

// Prepare signs in all users and creates their data, with texts that make items as large as documented.
func (k *kefir) Prepare(ctx context.Context, done func(done, total int)) error {
	pop := k.config.Profile.Population
	step := progressStep(len(k.tokens)*(2+pop["batches"]+pop["events"]+pop["reminders"]+pop["devices"]), done)
	if err := k.signIn(ctx, step); err != nil {
		return err
	}
	return forEach(ctx, len(k.tokens), func() {}, func(ctx context.Context, user int) error {
		return k.createUserData(ctx, user, step)
	})
}

// createUserData creates the data of one user.
func (k *kefir) createUserData(ctx context.Context, user int, step func()) error {
	pop := k.config.Profile.Population
	do := func(c call, out any) error {
		defer step()
		return k.api.do(ctx, c, k.tokens[user], out)
	}
	if err := do(kefirProfile(user), nil); err != nil {
		return err
	}
	for n := range pop["batches"] {
		var made struct {
			BatchID string `json:"batchId"`
		}
		if err := do(newBatch(n), &made); err != nil {
			return err
		}
		k.batches[user] = append(k.batches[user], made.BatchID)
	}
	for n := range pop["events"] {
		if err := do(note(k.batches[user][n%pop["batches"]], n), nil); err != nil {
			return err
		}
	}
	for n := range pop["reminders"] {
		if err := do(k.reminder(k.batches[user][n%pop["batches"]], n), nil); err != nil {
			return err
		}
	}
	for n := range pop["devices"] {
		if err := do(kefirDevice(user, n), nil); err != nil {
			return err
		}
	}
	return nil
}

// kefirPopulation is what other shards need.
type kefirPopulation struct {
	Batches [][]string `json:"batches"` // by user
	Now     time.Time  `json:"now"`
}

// Population returns the ids of the batches, and the time from which reminders are due.
func (k *kefir) Population() any { return kefirPopulation{k.batches, k.now} }

// Join signs in all users.
func (k *kefir) Join(ctx context.Context, population json.RawMessage) error {
	var p kefirPopulation
	if err := json.Unmarshal(population, &p); err != nil {
		return err
	}
	k.batches, k.now = p.Batches, p.Now
	return k.signIn(ctx, func() {})
}

func (k *kefir) next(number int, p profile.Part) draft {
	user := k.pick(number, p, len(k.tokens))
	return k.request(k.call(user, p.Request), user)
}

// call returns a request of a kind about a user, and one of the user's batches.
func (k *kefir) call(user int, request string) call {
	batch := ""
	if all := k.batches[user]; len(all) > 0 {
		batch = all[k.rand.IntN(len(all))]
	}
	get := func(path string) call { return call{http.MethodGet, "/kefir" + path, nil} }
	switch request {
	case "profile":
		return get("/profile")
	case "batches":
		return get("/batches")
	case "active":
		return get("/batches?status=active")
	case "batch":
		return get("/batches/" + batch)
	case "timeline":
		return get("/batches/" + batch + "/timeline")
	case "events":
		return get("/batches/" + batch + "/events?order=desc&limit=20")
	case "upcoming":
		return get("/reminders/upcoming?days=7")
	case "devices":
		return get("/devices")
	case "note":
		return note(batch, k.rand.IntN(1000))
	case "remind":
		return k.reminder(batch, k.rand.IntN(1000))
	case "status":
		return k.changeStatus(batch)
	case "new-batch":
		return newBatch(k.rand.IntN(1000))
	}
	return kefirProfile(user)
}

// changeStatus returns a request that changes the status of a batch.
func (k *kefir) changeStatus(batch string) call {
	statuses := []string{"active", "in_fridge"}
	k.status[batch]++
	return call{http.MethodPost, "/kefir/batches/" + batch + "/status",
		map[string]string{"status": statuses[k.status[batch]%2]}}
}

// reminder returns a request for a reminder that is due within the week that requests query, or soon after.
func (k *kefir) reminder(batch string, n int) call {
	due := k.now.Add(time.Duration(1+n%20) * 12 * time.Hour).Format(time.RFC3339)
	return call{http.MethodPost, "/kefir/batches/" + batch + "/reminders", map[string]string{"dueAt": due,
		"message": text(500, n)}}
}
