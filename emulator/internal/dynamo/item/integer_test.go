package item

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

func TestFractionsOfIntegersAreRoundedDown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number, class string
		want          int64
	}{
		{"7", "Integer", 7}, {"1.9", "Integer", 1}, {"1.9", "Long", 1}, {"-0.5", "Integer", -1}, {"-1.5", "Long", -2},
		{"1e2", "Integer", 100},
		{"3000000000", "Integer", 1<<31 - 1}, {"-3000000000", "Integer", -1 << 31}, {"3000000000", "Long", 3000000000},
		{"3e9", "Integer", 1<<31 - 1}, {"-3e9", "Integer", -1 << 31}, {"99999999999999999999", "Long", 1<<63 - 1},
		{"1e400", "Long", 1<<63 - 1},
		{"-1e400", "Long", -1 << 63}, {"12345678901234567890e-10", "Integer", 1234567890},
	} {
		r, err := jsonread.New([]byte(c.number))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ReadInteger(&r, c.class); err != nil || got != c.want {
			t.Errorf("%s as %s: %d, %v, want %d", c.number, c.class, got, err, c.want)
		}
	}
}
