package emulator_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// command sends an admin request with additional headers, given as names and values in turn.
func command(t testing.TB, e *emulator.Emulator, method, path, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, e.DynamoDBURL()+"/_tabletop"+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	return send(t, r)
}

func TestAdminAPIControlsTheEmulator(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(start), emulator.WithLikeCloud(emulator.Lag))
	c := client(e)
	makeTable(t, c, "kept")
	for _, step := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/clock/advance", `{"duration":"24h"}`, 200},
		{"POST", "/snapshots", `{"id":"before"}`, 201},
		{"POST", "/reset", "", 204},
		{"POST", "/snapshots/before/restore", "", 204},
		{"POST", "/clock/rewind", "", 404},
	} {
		if a := command(t, e, step.method, step.path, step.body); a.status != step.status {
			t.Fatalf("%s %s: %d %s", step.method, step.path, a.status, a.body)
		}
	}
	if !e.Now().Equal(start.Add(24 * time.Hour)) {
		t.Errorf("it is %v", e.Now())
	}
	out, err := c.ListTables(context.Background(), &dynamodb.ListTablesInput{})
	if err != nil || len(out.TableNames) != 1 {
		t.Errorf("%v, %v", out, err)
	}
	var about struct {
		Behaviour string
		Addresses map[string]string
	}
	if err := json.Unmarshal([]byte(command(t, e, "GET", "/info", "").body), &about); err != nil {
		t.Fatal(err)
	}
	if about.Behaviour != "like the cloud: lag" || about.Addresses["dynamodb"] != e.DynamoDBURL() {
		t.Errorf("%+v", about)
	}
}

func TestAdminAPIRefusesOtherHostsAndOrigins(t *testing.T) {
	t.Parallel()
	all := emulator.Run(t, console.Option(), emulator.WithDynamoDBAddr("0.0.0.0:0"))
	if a := command(t, all, "GET", "/clock", ""); a.status != 403 || !strings.Contains(a.body, "--admin") {
		t.Errorf("an emulator on all addresses: %d %s", a.status, a.body)
	}
	asked := emulator.Run(t, console.Option(), emulator.WithDynamoDBAddr("0.0.0.0:0"), emulator.WithAdmin("desk.example"))
	for host, status := range map[string]int{"desk.example:8000": 200, "192.168.1.5:8000": 200, "evil.example": 403} {
		if a := command(t, asked, "GET", "/clock", "", "Host", host); a.status != status {
			t.Errorf("asked to, as %s: %d %s", host, a.status, a.body)
		}
	}
	here := emulator.Run(t, console.Option())
	for _, header := range [][]string{{"Host", "evil.example"}, {"Origin", "https://evil.example"},
		{"Sec-Fetch-Site", "cross-site"}} {
		if a := command(t, here, "GET", "/clock", "", header...); a.status != 403 {
			t.Errorf("%v: %d %s", header, a.status, a.body)
		}
	}
}
