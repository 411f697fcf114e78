package emulator_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// recorded reads a recording to its end.
func recorded(t *testing.T, text string) []recording.Entry {
	t.Helper()
	r, err := recording.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var all []recording.Entry
	for {
		e, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *e)
	}
}

func TestEveryRequestIsRecorded(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	e, err := emulator.Start(emulator.WithRecording(&out), emulator.WithSeed(42))
	if err != nil {
		t.Fatal(err)
	}
	c := client(e)
	makeTable(t, c, "orders")
	put(t, c, "orders", text("pk", "1"))
	send(t, request(t, e, "GetItem", strings.NewReader(`{"TableName": "nothing"`)))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	all := recorded(t, out.String())
	var told []string
	for _, one := range all {
		told = append(told, one.Operation+" "+one.Error)
	}
	if got := strings.Join(told, ", "); !strings.HasPrefix(got, "CreateTable ,") || !strings.HasSuffix(got,
		"PutItem , GetItem SerializationException") {
		t.Errorf("recorded: %s", got)
	}
	put := all[len(all)-2].Authorization
	if len(put) != 1 || put[0].Action != "dynamodb:PutItem" || !strings.HasSuffix(put[0].Resource, ":table/orders") ||
		put[0].Context["dynamodb:LeadingKeys"][0] != "1" {
		t.Errorf("what PutItem wanted is recorded as %+v", put)
	}
	last := all[len(all)-1]
	if string(last.RequestBytes) != `{"TableName": "nothing"` || last.Status != 400 || last.AccessKey != "a" ||
		last.Service != "dynamodb" {
		t.Errorf("%+v", last)
	}
	if strings.Contains(out.String(), "Signature") {
		t.Error("the recording has a signature")
	}
}

// TestRequestsOfTheConsoleAreMarked records a request of the web console and one of a client. The console's comparison
// of runs has only the client's.
func TestRequestsOfTheConsoleAreMarked(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	command(t, e, "POST", "/recording/start", "")
	if a := command(t, e, "POST", "/console/api/dynamodb/ListTables", `{"Limit":2}`); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if _, err := client(e).ListTables(t.Context(), &dynamodb.ListTablesInput{}); err != nil {
		t.Fatal(err)
	}
	if a := command(t, e, "GET", "/console/api/recording", ""); a.status != 409 {
		t.Errorf("while it is on: %d %s", a.status, a.body)
	}
	command(t, e, "POST", "/recording/stop", "")
	all := recorded(t, command(t, e, "GET", "/recording/requests", "").body)
	if len(all) != 2 || !all[0].Console || all[1].Console {
		t.Errorf("%+v", all)
	}
	if a := command(t, e, "GET", "/console/api/recording", ""); a.status != 200 || strings.Count(a.body, `"id":`) != 1 ||
		!strings.Contains(a.body, `"request":"{}"`) {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestARecordingIsStartedAndStoppedByTheAdminAPI(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	c := client(e)
	for _, step := range []struct {
		method, path string
		status       int
		says         string
	}{
		{"GET", "/recording", 200, `{"on":false,"requests":0,"bytes":0}`},
		{"POST", "/recording/stop", 409, "start one first"},
		{"GET", "/recording/requests", 409, "start one first"},
		{"POST", "/recording/start", 200, `"on":true`},
		{"POST", "/recording/start", 409, "stop it"},
	} {
		if a := command(t, e, step.method, step.path, ""); a.status != step.status || !strings.Contains(a.body, step.says) {
			t.Errorf("%s %s: %d %s", step.method, step.path, a.status, a.body)
		}
	}
	if _, err := c.ListTables(t.Context(), &dynamodb.ListTablesInput{}); err != nil {
		t.Fatal(err)
	}
	if a := command(t, e, "GET", "/info", ""); !strings.Contains(a.body, `"recording"`) {
		t.Errorf("%s", a.body)
	}
	if a := command(t, e, "POST", "/recording/stop", ""); a.status != 200 || !strings.Contains(a.body, `"requests":1`) {
		t.Errorf("%s", a.body)
	}
	if _, err := c.ListTables(t.Context(), &dynamodb.ListTablesInput{}); err != nil {
		t.Fatal(err)
	}
	file := command(t, e, "GET", "/recording/requests", "")
	if all := recorded(t, file.body); len(all) != 1 || string(all[0].Request) != "{}" {
		t.Errorf("%s", file.body)
	}
	command(t, e, "POST", "/recording/start", "")
	if a := command(t, e, "GET", "/recording", ""); !strings.Contains(a.body, `"on":true`) || !strings.Contains(a.body,
		`"requests":0`) {
		t.Errorf("the next recording: %s", a.body)
	}
}
