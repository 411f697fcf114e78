package simenv_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

func TestEmbedded(t *testing.T) {
	t.Parallel()
	prefix := func(c *backend.Config) { c.TablePrefix = "mine-" }
	env, err := simenv.StartEmbedded(t.Context(), "telemetry", simenv.Start(), simenv.Config{Seed: 3}, prefix)
	if err != nil {
		t.Fatal(err)
	}
	key := sim.Call{Method: http.MethodPost, Path: "/telemetry/api-keys", In: map[string]string{"description": "one"}}
	if outcome, err := env.Admin().Call(t.Context(), key); err != nil || outcome.Status != http.StatusCreated {
		t.Error(outcome, err)
	}
	if _, err := env.Anonymous().Call(t.Context(), key); !sim.IsUnauthorized(err) {
		t.Error("without a credential:", err)
	}
	items, err := env.Embedded.Scan(t.Context(), "mine-devices")
	if err != nil || len(items) != 0 {
		t.Error(items, err)
	}
	if err := env.Clock.WaitUntil(t.Context(), 24*time.Hour); err != nil {
		t.Error(err)
	}
	res, err := env.Result(t.Context(), simenv.Summary{Simulator: "one"}, sim.NewLedger(nil, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if res.Seed != 3 || res.Requests != 2 || res.To.Sub(res.From) != 24*time.Hour {
		t.Errorf("%+v", res)
	}
	if err := env.Close(); err != nil {
		t.Error(err)
	}
}

func TestUsersSignIn(t *testing.T) {
	t.Parallel()
	env, err := simenv.StartEmbedded(t.Context(), "telemetry", simenv.Start(), simenv.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = env.Close() })
	ana := env.User(1, "ana", "reviewer")
	first, err := ana.Credential(t.Context(), false)
	if err != nil || !strings.HasPrefix(first.Get("Authorization"), "Bearer ey") {
		t.Fatal(first, err)
	}
	if again, _ := ana.Credential(t.Context(), false); again.Get("Authorization") != first.Get("Authorization") {
		t.Error("she signed in again for no reason")
	}
	if renewed, _ := ana.Credential(t.Context(), true); renewed.Get("Authorization") == first.Get("Authorization") {
		t.Error("the token was not renewed")
	}
}

func TestUnknownSystemIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := simenv.StartEmbedded(t.Context(), "teleport", simenv.Start(), simenv.Config{}, nil); err == nil ||
		!strings.Contains(err.Error(), "teleport") {
		t.Error(err)
	}
}
