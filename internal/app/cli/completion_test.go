package cli

import (
	"context"
	"strings"
	"testing"
)

// TestCompletionOffersValues checks the values that a shell offers for targets, tags, load profiles and cloud
// behaviours, and for the tables of a running emulator, and that it offers nothing twice or that the command refuses.
func TestCompletionOffersValues(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	url := s.await(t, `http://\S+`)
	create := runCommand(t.Context(), nil, "tables", "create", "telemetry", "--target", "url="+url)
	if create.status != 0 {
		t.Fatalf("%+v", create)
	}
	for line, want := range map[string]string{
		"features --target ":    "dynamodb-local",
		"features --tags @TL-":  "@TL-P7.together",
		"features features/kef": "features/kefir/batches.feature",
		"features features/telemetry/registration.feature:31:": "features/telemetry/registration.feature:31:26\t" +
			"A device is looked up by its hardware address",
		"loadtest run TL":                      "TL-L1",
		"loadtest compare --targets embedded,": "embedded,dynamodb-local",
		"emulator --like-cloud=":               "throttling",
		"up --systems ":                        "kefir",
		"faults add --do ":                     "cut-after-commit",
		"tables drop ":                         "telemetry",
		"tables describe kefir ":               "telemetry",
		"clock show --output ":                 "json",
		"job cleanup --output ":                "text",
		"export --target ":                     "aws",
		"loadtest compare NT-L1 --targets ":    "azure",
	} {
		got := runCommand(t.Context(), nil, append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if got.status != 0 || !strings.Contains("\n"+got.stdout, "\n"+want+"\n") {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
	}
	for line, misses := range map[string]string{
		"loadtest compare --targets embedded,": "embedded,embedded",
		"loadtest compare TL-L1 --targets ":    "azure",
		"loadtest run NT-L1 --target ":         "dynamodb-local",
		"export --target ":                     "embedded",
		"tables describe kefir ":               "kefir",
		"tables drop --target ":                "embedded",
		"loadtest run TL-L1 ":                  "TL-L1",
	} {
		got := runCommand(t.Context(), nil, append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if got.status != 0 || strings.Contains("\n"+got.stdout, "\n"+misses+"\n") {
			t.Errorf("%s: %+v, which has %s", line, got, misses)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience) // a busy machine may take longer than a shell waits
	defer cancel()
	for _, line := range []string{"heat --endpoint " + url + " ", "faults add --endpoint " + url + " --table ",
		"tables describe --as-file --target url=" + url + " ", "job restore-drill --target url=" + url + " --table ",
		"job restore-drill --target url=" + url + " --prefix device_ --table "} {
		got := runCommand(ctx, nil, append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if !strings.Contains(got.stdout, "readings\n") || strings.Contains(got.stdout, "device_") == strings.Contains(line,
			"device_") {
			t.Errorf("%s: %+v", line, got)
		}
	}
	s.stop(t)
}
