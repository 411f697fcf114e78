package notification

import "testing"

// TestBusyRounds checks that the next round follows at once only if this one claimed events, whatever other workers
// have left.
func TestBusyRounds(t *testing.T) {
	t.Parallel()
	for round, want := range map[WorkResult]bool{
		{}: false, {Found: 100, More: true}: false, {Found: 100, Claimed: 1, More: true}: true, {Found: 3, Claimed: 3}: false,
		{Found: 60, Claimed: MaxEventsPerRound / 2}: true,
	} {
		if round.Busy() != want {
			t.Errorf("%+v: %v", round, !want)
		}
	}
}
