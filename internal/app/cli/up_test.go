package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestUpRunsEverything checks that everything responds at the printed address, and that Ctrl-C ends with a
// reconciliation.
func TestUpRunsEverything(t *testing.T) {
	t.Parallel()
	s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
		"--devices", "5", "--speed", "3600", "--admin-host", "desk.example")
	s.await(t, "Press Ctrl-C to stop")
	url := s.await(t, `http://[0-9.:]+`)
	wantAdminHost(t, url, "desk.example")
	wantConsolePages(t, url)
	key := strings.TrimPrefix(s.await(t, "X-API-Key: [0-9a-f]{64}"), "X-API-Key: ")
	devices := s.await(t, `http://[0-9.:]+/telemetry/devices\?limit=2`)
	if status := get(t, devices, key); status != http.StatusOK {
		t.Errorf("GET %s: %d", devices, status)
	}
	if status := get(t, s.await(t, `http://[0-9.:]+/docs`), ""); status != http.StatusOK {
		t.Errorf("the API's page: %d", status)
	}
	tellsYou(t, s)
	got := s.stop(t)
	if got.status != 0 || !strings.Contains(got.stdout, "PASS: every reading was stored exactly once") {
		t.Errorf("%+v", got)
	}
}

// wantConsolePages checks that the console has the pages of tabletop up, and waits until it counts the devices.
func wantConsolePages(t *testing.T, url string) {
	t.Helper()
	const api = "/_tabletop/console/api/"
	overview := string(ask(t, http.MethodGet, url+api+"overview", "", "", http.StatusOK))
	if !strings.Contains(overview, `"extensions":["load","specs","simulations","pushes"]`) {
		t.Error(overview)
	}
	await.True(t, "the console counts the devices and their readings", func() bool {
		counts := string(ask(t, http.MethodGet, url+api+"simulations", "", "", http.StatusOK))
		return strings.Contains(counts, `"devices":5,`) && !strings.Contains(counts, `"stored":0,`)
	})
	if pushes := string(ask(t, http.MethodGet, url+api+"pushes", "", "", http.StatusOK)); !strings.Contains(pushes,
		`"phones":[]`) {
		t.Error(pushes)
	}
}

// TestUpStartsWithoutAFailedRequest checks that the tables and containers are created without a request that fails, and
// found by a second start on the same folder, so that alarms and the console's live requests start clean. It has no
// fleet: a reading that a device sends again may fail its condition.
func TestUpStartsWithoutAFailedRequest(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	for range 2 {
		s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
			"--devices", "0", "--data", data)
		s.await(t, "Press Ctrl-C to stop")
		url := s.await(t, `http://[0-9.:]+`)
		wantNoFailedRequest(t, string(ask(t, http.MethodGet, url+"/metrics", "", "", http.StatusOK)))
		if got := s.stop(t); got.status != 0 {
			t.Errorf("%+v", got)
		}
	}
}

// wantNoFailedRequest checks the metrics of both databases.
func wantNoFailedRequest(t *testing.T, metrics string) {
	t.Helper()
	const dynamo, cosmos = "aws_dynamodb_user_errors_total ", "azure_cosmosdb_total_requests{"
	cosmosRequests := 0
	for line := range strings.Lines(metrics) {
		if count, is := strings.CutPrefix(line, dynamo); is && strings.TrimSpace(count) != "0" {
			t.Errorf("%s is %s", dynamo, count)
		}
		if strings.HasPrefix(line, cosmos) {
			cosmosRequests++
			if !strings.Contains(line, `status_code="2`) {
				t.Error(line)
			}
		}
	}
	if cosmosRequests == 0 {
		t.Errorf("no requests of Cosmos DB in %s", metrics)
	}
}

// wantAdminHost checks that the admin API responds to requests for a host, as it does with --admin-host only.
func wantAdminHost(t *testing.T, url, host string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/_tabletop/clock", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("the admin API at host %s: %s", host, res.Status)
	}
}

// tellsYou makes tabletop up notify a user, with the command that it prints, and waits until the worker has done so.
func tellsYou(t *testing.T, desk *session) {
	t.Helper()
	base := strings.TrimSuffix(desk.await(t, `http://[0-9.:]+/notification/events`), "/notification/events")
	admin := strings.TrimPrefix(desk.await(t, "Bearer [0-9a-f]+"), "Bearer ")
	if !strings.Contains(desk.out.String(), "kefir reminders every minute, notifications every second") {
		t.Errorf("it does not tell of its workers\n%s", desk.out)
	}
	ask(t, http.MethodPost, base+"/notification/events", admin, `{"userId":"you","eventType":"SECURITY_PASSWORD_CHANGED"}`,
		http.StatusCreated)
	for deadline := time.Now().Add(patience); ; {
		var stats struct{ Completed int }
		if err := json.Unmarshal(ask(t, http.MethodGet, base+"/notification/stats", admin, "", http.StatusOK),
			&stats); err != nil {
			t.Fatal(err)
		}
		if stats.Completed == 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("nobody took the event up\n%s", desk.err)
		}
	}
}

// ask sends a JSON request with a bearer token and returns the body of the response.
func ask(t *testing.T, method, url, token, body string, status int) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		t.Fatalf("%s %s: %s %s %v", method, url, res.Status, answer, err)
	}
	return answer
}

// TestUpWithoutDevices checks that --devices 0 runs everything but the fleet, and that then no backend is required.
func TestUpWithoutDevices(t *testing.T) {
	t.Parallel()
	for systems, wantKey := range map[string]bool{"telemetry,notification": true, "kefir": false} {
		s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
			"--devices", "0", "--systems", systems)
		s.await(t, "Press Ctrl-C to stop")
		url := s.await(t, `http://[0-9.:]+`)
		overview := string(ask(t, http.MethodGet, url+"/_tabletop/console/api/overview", "", "", http.StatusOK))
		if !strings.Contains(overview, `"extensions":["load","specs","simulations","pushes"]`) {
			t.Error(overview)
		}
		fleet := string(ask(t, http.MethodGet, url+"/_tabletop/console/api/simulations", "", "", http.StatusOK))
		if !strings.Contains(fleet, `"runs":false`) {
			t.Error(fleet)
		}
		got := s.stop(t)
		if got.status != 0 || got.stderr != "" || strings.Contains(got.stdout, "Fleet") ||
			strings.Contains(got.stdout, "X-API-Key") != wantKey {
			t.Errorf("%s: %+v", systems, got)
		}
	}
}

// TestUpWithoutDevicesEndsByItself checks that a duration also ends a run without a fleet.
func TestUpWithoutDevicesEndsByItself(t *testing.T) {
	t.Parallel()
	s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
		"--devices", "0", "--duration", "1ms")
	if got := s.wait(t); got.status != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// TestUpWithADurationEndsByItself checks that `tabletop up` can be part of a script.
func TestUpWithADurationEndsByItself(t *testing.T) {
	t.Parallel()
	s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
		"--devices", "3", "--speed", "inf", "--duration", "1h", "--data", t.TempDir())
	if got := s.wait(t); got.status != 0 || !strings.Contains(got.stdout, "0 lost") ||
		!strings.Contains(got.stdout, "14 invariants that hold") {
		t.Errorf("%+v", got)
	}
}

// TestUpFindsABrokenInvariant checks that a rule of telemetry that is broken in the database fails the fleet.
func TestUpFindsABrokenInvariant(t *testing.T) {
	t.Parallel()
	s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
		"--devices", "1", "--cosmos-addr", "")
	s.await(t, "Press Ctrl-C to stop")
	db := dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: aws.String(s.await(t, `http://[0-9.:]+`)),
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", "")})
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("processed_batches"),
		Item: map[string]types.AttributeValue{"batch_id": text("b-1"), "hardware_id": text("AA:BB:CC:DD:EE:FF"),
			"received_at": text("2099-12-02T00:00:00Z"), "expiration_time": &types.AttributeValueMemberN{Value: "4102444800"}}})
	if err != nil {
		t.Fatal(err)
	}
	got := s.stop(t)
	const broken = "broken invariant: a batch with a marker has its reading (TL-P7.together, TL-P7.neither)"
	if got.status != 1 || !strings.Contains(got.stdout, broken) ||
		!strings.HasSuffix(got.stdout, "FAIL: 1 of 14 invariants of the database are broken: see above\n") {
		t.Errorf("%+v", got)
	}
}

func get(t *testing.T, url, key string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// TestUpPrintsNoTokenThatWasGiven checks that the user's own secret does not appear in output that is kept as a log,
// including the commands to try.
func TestUpPrintsNoTokenThatWasGiven(t *testing.T) {
	t.Parallel()
	s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
		"--devices", "1", "--admin-token", "s3cret-of-ours")
	s.await(t, `Admin token +set by --admin-token`)
	s.await(t, "Press Ctrl-C to stop")
	if got := s.stop(t); strings.Contains(got.stdout+got.stderr, "s3cret-of-ours") {
		t.Errorf("%+v", got)
	}
}
