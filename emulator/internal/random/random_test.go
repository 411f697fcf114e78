package random_test

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// TestStream holds the first numbers of the seed 1234567, which are published with the reference of SplitMix64.
func TestStream(t *testing.T) {
	t.Parallel()
	var s random.Stream
	s.Seed(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431} {
		if got := s.Next(); got != want {
			t.Errorf("number %d is %d, not %d", i, got, want)
		}
	}
	var rest random.Stream
	rest.Seed(s.State())
	if a, b := s.Next(), rest.Next(); a != b {
		t.Errorf("from its state on: %d, not %d", b, a)
	}
}
