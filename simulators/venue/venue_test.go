package venue_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

func TestEmbedded(t *testing.T) {
	t.Parallel()
	prefix := func(c *backend.Config) { c.TablePrefix = "mine-" }
	v, err := venue.Embed(t.Context(), "telemetry", venue.Start(), venue.Config{Seed: 3}, prefix)
	if err != nil {
		t.Fatal(err)
	}
	key := sim.Call{Method: http.MethodPost, Path: "/telemetry/api-keys", In: map[string]string{"description": "one"}}
	if heard, err := v.Admin().Call(t.Context(), key); err != nil || heard.Status != http.StatusCreated {
		t.Error(heard, err)
	}
	if _, err := v.Observer().Call(t.Context(), key); !sim.Refused(err) {
		t.Error("without a credential:", err)
	}
	items, err := v.Embedded.Scan(t.Context(), "mine-devices")
	if err != nil || len(items) != 0 {
		t.Error(items, err)
	}
	if err := v.Clock.Reach(t.Context(), 24*time.Hour); err != nil {
		t.Error(err)
	}
	res := v.Result("one", "it is there", sim.NewLedger(nil, nil, nil))
	if res.Seed != 3 || res.Requests != 2 || res.To.Sub(res.From) != 24*time.Hour {
		t.Errorf("%+v", res)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}

func TestPeopleSignIn(t *testing.T) {
	t.Parallel()
	v, err := venue.Embed(t.Context(), "telemetry", venue.Start(), venue.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	ana := v.Person(1, "ana", "reviewer")
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

func TestABackendThatCannotBegin(t *testing.T) {
	t.Parallel()
	if _, err := venue.Embed(t.Context(), "teleport", venue.Start(), venue.Config{}, nil); err == nil ||
		!strings.Contains(err.Error(), "teleport") {
		t.Error(err)
	}
}
