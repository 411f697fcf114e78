package cli

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// TestSimulatePhones needs nothing that runs already, and writes what it found as JSON too.
func TestSimulatePhones(t *testing.T) {
	t.Parallel()
	report := filepath.Join(t.TempDir(), "phones.json")
	got := start(t, "simulate", "phones", "--users", "2", "--duration", "72h", "--report", report).wait(t)
	if got.status != 0 || !strings.Contains(got.stdout, "OK: every device is as its phone left it") {
		t.Fatalf("%+v", got)
	}
	text, err := os.ReadFile(report)
	var result struct {
		Reconciled bool
		Did        []struct{ Count int }
	}
	if err != nil || json.Unmarshal(text, &result) != nil || !result.Reconciled || result.Did[0].Count == 0 {
		t.Errorf("%s, error %v", text, err)
	}
}

// TestSimulatePhonesRefusals are told with their remedy, as usage errors.
func TestSimulatePhonesRefusals(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"leave them out for their defaults": {"--users", "0"},
		"give 1 to 10000":                   {"--users", "-1"},
		"no push gateway":                   {"--backend", "http://127.0.0.1:1", "--admin-token", "x"},
		"give --admin-token":                {"--backend", "http://127.0.0.1:1", "--gateway", "http://127.0.0.1:1"},
		"give its address too":              {"--gateway", "http://127.0.0.1:1"},
	} {
		got := start(t, append([]string{"simulate", "phones"}, args...)...).wait(t)
		if got.status != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestPushGateway answers at the address that it prints until it is stopped.
func TestPushGateway(t *testing.T) {
	t.Parallel()
	s := start(t, "pushgateway", "--addr", "127.0.0.1:0")
	s.await(t, "Ctrl-C stops it")
	address := strings.TrimSuffix(s.await(t, `http://[0-9.:]+/gateway/deliveries`), "/gateway/deliveries")
	phone, err := pushgateway.NewClient(address, nil).Install(t.Context(), "", pushgateway.IOS, "")
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(address+"/--/api/v2/push/send", "application/json", strings.NewReader(`{"to":"`+phone.ExpoToken+`","title":"Done"}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if all, err := pushgateway.NewClient(address, nil).Deliveries(t.Context(), 0); err != nil || len(all) != 1 || all[0].Phone != phone.ID {
		t.Errorf("deliveries %+v, error %v", all, err)
	}
	if got := s.stop(t); got.status != 0 {
		t.Errorf("%+v", got)
	}
	if got := start(t, "pushgateway", "--expo-per-second", "0").wait(t); got.status != 2 {
		t.Errorf("%+v", got)
	}
}
