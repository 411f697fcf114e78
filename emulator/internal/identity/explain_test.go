package identity

import (
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// TestExplanationsHaveALimitOfWork asks about a long value and a policy whose wildcards nearly match it everywhere.
func TestExplanationsHaveALimitOfWork(t *testing.T) {
	t.Parallel()
	d, err := identities.Parse("people", []byte(`
users:
  ana:
    inline: {own: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:*", Resource: "*", Condition: {StringLike: {"dynamodb:LeadingKeys": "*`+
		strings.Repeat("a?", 4500)+`b"}}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := New(Config{Store: st, Clock: clock.Real(), File: d})
	if err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int]error{200: nil, 20_000: ErrTooMuchWork} {
		_, err := s.Explain(Question{Principal: "arn:aws:iam::000000000000:user/ana", Action: "dynamodb:GetItem",
			Resource: "*", Context: map[string][]string{"dynamodb:LeadingKeys": {strings.Repeat("a", size)}}})
		if !errors.Is(err, want) {
			t.Errorf("a value of %d bytes: %v, want %v", size, err, want)
		}
	}
}
