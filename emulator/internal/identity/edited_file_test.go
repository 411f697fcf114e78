package identity

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// restart returns a service on the store of another one, with an edited file, and what its start logs.
func (s *Service) restart(t *testing.T, file string) (next *Service, logged string) {
	t.Helper()
	var d *identities.Directory
	if file != "" {
		var err error
		if d, err = identities.Parse("people.yaml", []byte(file)); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	next, err := New(Config{Store: s.store, Clock: s.clock, File: d, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return next, log.String()
}

func (s *Service) names() (all []string) {
	for _, e := range s.List() {
		all = append(all, e.Name)
	}
	return all
}

const team = `
account: "123456789012"
users: {ana: , bob: }
groups: {writers: {policies: [Write]}}
policies:
  Write: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:PutItem", Resource: "*"}}
`

// newTeam returns a service with additions that need what the file has.
func newTeam(t *testing.T) (s *Service, keyOfAna string) {
	t.Helper()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	s = &Service{store: st, clock: clock.Manual(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC))}
	s, _ = s.restart(t, team)
	keyOfAna, _, err = s.NewKey("123456789012", "ana")
	if err != nil {
		t.Fatal(err)
	}
	for name, document := range map[string]string{"fay": `{"groups":["writers"]}`, "gus": `{"policies":["Write"]}`,
		"hal": `{}`} {
		if err := s.Put("123456789012", "users", name, []byte(document)); err != nil {
			t.Fatal(err)
		}
	}
	return s, keyOfAna
}

func TestStartAfterTheFileWasEdited(t *testing.T) {
	t.Parallel()
	s, key := newTeam(t)
	s, logged := s.restart(t, `{account: "123456789012", users: {bob: }}`)
	if got := s.names(); !slices.Equal(got, []string{"bob", "hal"}) {
		t.Errorf("%v, want what the file has and what needs nothing of it", got)
	}
	for _, want := range []string{
		"DELETE /_tabletop/identities/123456789012/keys/" + key, "there is no user ana",
		"DELETE /_tabletop/identities/123456789012/users/fay", "DELETE /_tabletop/identities/123456789012/users/gus",
	} {
		if !strings.Contains(logged, want) {
			t.Errorf("the log lacks %q:\n%s", want, logged)
		}
	}
	s, logged = s.restart(t, team)
	if got := s.names(); !slices.Equal(got, []string{"ana", "bob", "fay", "gus", "hal"}) || logged != "" {
		t.Errorf("with the former file %v, logs %q", got, logged)
	}
}

func TestChangesAfterTheFileWasEdited(t *testing.T) {
	t.Parallel()
	s, key := newTeam(t)
	s, _ = s.restart(t, `{account: "123456789012", users: {bob: }}`)
	if err := s.Put("123456789012", "users", "ivy", []byte(`{"policies":["Write"]}`)); err == nil {
		t.Error("an invalid addition is accepted")
	}
	if err := s.Put("123456789012", "users", "ivy", []byte(`{}`)); err != nil {
		t.Error("an addition is refused because of another one:", err)
	}
	if err := s.DeleteKey("123456789012", key); err != nil {
		t.Error("what is left out cannot be deleted:", err)
	}
}

// TestStartWithoutTheFile checks that additions keep the checks on although none of them applies without the file: a
// lost file must not open the emulator to everybody.
func TestStartWithoutTheFile(t *testing.T) {
	t.Parallel()
	s, key := newTeam(t)
	if err := s.Delete("123456789012", "users", "hal"); err != nil {
		t.Fatal(err)
	}
	s, logged := s.restart(t, "")
	gate := s.Gate("dynamodb")
	unsigned := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
	if _, err := gate.Authenticate(unsigned, nil); !gate.Enabled() || err == nil {
		t.Errorf("enabled %v, an unsigned request: %v", gate.Enabled(), err)
	}
	if got := s.names(); len(got) > 0 || strings.Count(logged, "is left out") != 3 {
		t.Errorf("%v, logs %q", got, logged)
	}
	for _, err := range []error{s.DeleteKey("123456789012", key), s.Delete("123456789012", "users", "fay"),
		s.Delete("123456789012", "users", "gus")} {
		if err != nil {
			t.Error(err)
		}
	}
	if gate.Enabled() {
		t.Error("the checks stay on after the last addition was deleted")
	}
}

// TestAnOverrideThatIsLeftOutGivesNoAccess checks that a restriction that the admin API put over the file does not
// vanish with the policy that it names.
func TestAnOverrideThatIsLeftOutGivesNoAccess(t *testing.T) {
	t.Parallel()
	const write, read = `
account: "123456789012"
users: {ana: {policies: [Write]}, bob: {groups: [writers]}}
groups: {writers: {policies: [Write]}}
policies:
  Write: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:PutItem", Resource: "*"}}
`, `  Read: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:GetItem", Resource: "*"}}
`
	s, _ := newTeam(t)
	s, _ = s.restart(t, write+read)
	for kind, name := range map[string]string{"users": "ana", "groups": "writers"} {
		if err := s.Put("123456789012", kind, name, []byte(`{"policies":["Read"]}`)); err != nil {
			t.Fatal(err)
		}
	}
	mayWrite := func(user string) bool {
		why, err := s.Explain(Question{Principal: identities.UserARN("123456789012", user), Action: "dynamodb:PutItem",
			Resource: "arn:aws:dynamodb:us-east-1:123456789012:table/t"})
		return err == nil && why.Decision.Allowed
	}
	s, logged := s.restart(t, write)
	if mayWrite("ana") || mayWrite("bob") || !strings.Contains(logged, "identities/123456789012/groups/writers") {
		t.Errorf("ana may write: %v, bob: %v, logs %s", mayWrite("ana"), mayWrite("bob"), logged)
	}
	if err := s.Delete("123456789012", "groups", "writers"); err != nil || !mayWrite("bob") {
		t.Error("after the override was deleted, the file's group does not apply:", err)
	}
}
