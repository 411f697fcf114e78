package cli

import (
	"strings"
	"testing"
)

func TestClock(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--clock-start", "2030-01-01T00:00:00Z",
		"--speed", "0.001")
	url := s.await(t, `http://\S+`)
	for _, step := range []struct{ command, prints string }{
		{"clock show", "2030-01-01T00:00:00."},
		{"clock freeze", "  frozen\n"},
		{"clock advance 24h", "2030-01-02T00:00:0"},
		{"clock speed 60", "  frozen\n"},
		{"clock resume", "  speed 60\n"},
	} {
		got := runCommand(t.Context(), nil, append(strings.Fields(step.command), "--endpoint", url)...)
		if got.status != 0 || !strings.Contains(got.stdout, step.prints) {
			t.Errorf("%s: %+v", step.command, got)
		}
	}
	for command, says := range map[string]string{
		"clock advance a-day":  `"a-day" is not a duration`,
		"clock advance":        "takes one argument",
		"clock advance -- -1h": "cannot go back",
		"clock advance -1h":    "-1h is negative, and the clock cannot go back: ",
		"clock speed 2e6":      "speed: expected number <= 1e+06",
		"clock speed fast":     "is not a positive number",
		"clock speed -2":       `"-2" is not a positive number`,
	} {
		got := runCommand(t.Context(), nil, append([]string{"clock"}, append([]string{"--endpoint", url},
			strings.Fields(command)[1:]...)...)...)
		if got.status == 0 || !strings.Contains(got.stderr, says) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if got := runCommand(t.Context(), nil, "clock", "show", "--endpoint", "http://127.0.0.1:1"); got.status != 2 ||
		!strings.Contains(got.stderr, "cannot reach an emulator at") {
		t.Errorf("%+v", got)
	}
	if got := runCommand(t.Context(), nil, "emulator", "--clock-start", "tomorrow"); got.status != 2 ||
		!strings.Contains(got.stderr, "use the format 2030-") {
		t.Errorf("%+v", got)
	}
	if got := runCommand(t.Context(), nil, "emulator", "--speed", "0"); got.status != 2 || !strings.Contains(got.stderr,
		"from 0.001") {
		t.Errorf("%+v", got)
	}
	s.stop(t)
}
