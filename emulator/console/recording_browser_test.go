//go:build browser

package console_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestCompareWithARecording records a client of both clouds, takes the recording as the last run, and compares another
// run with it. The requests of the console are in no recording.
func TestCompareWithARecording(t *testing.T) {
	t.Parallel()
	b := open(t, "/live")
	_, run := clientOfBothClouds(b)
	b.click("Recording")
	b.sees("None yet.")
	b.check("before a recording")
	b.click("Start recording")
	b.sees("On: 0 requests so far.")
	run("open")
	b.sees("On: 3 requests so far.")
	b.click("Stop recording")
	b.sees("3 requests, begun at", "Record again")
	b.look(390, "dark")
	b.check("recording on a phone")
	b.look(1280, "light")
	b.click("Use as last run")
	b.sees("3 requests are the last run now", "Waiting for requests")
	b.misses("Last run from a recording")

	run("paid")
	b.sees("3 requests")
	b.click("Compare with the last run")
	b.sees("2 changed", "1 same", "Requests 3 3 0", `response.Item.state.S "open" → "paid"`)
	b.misses("1 new")
}

// TestCompareWithARecordingInAFile takes what another emulator has recorded, after a file with a bad line.
func TestCompareWithARecordingInAFile(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	other, err := emulator.Start(emulator.WithRecording(&file))
	if err != nil {
		t.Fatal(err)
	}
	client := ordersTable(t, other)
	putItem(t, client, "orders", order("ana", 1, "open"))
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}

	b := open(t, "/live")
	b.sees("Waiting for requests")
	client = ordersTable(t, b.emulator)
	b.sees("CreateTable")
	b.fill("Filter", "putitem")
	b.click("Recording")
	lines := strings.SplitAfterN(file.String(), "\n", 3)
	b.putFile("requests.jsonl", lines[0]+"<b>not JSON</b>\n"+lines[2])
	b.sees("line 2: ")
	b.check("a bad recording")
	b.putFile("requests.jsonl", lines[0])
	b.sees("The recording has no requests of clients")
	b.putFile("requests.jsonl", file.String())
	b.sees("1 request is the last run now", "Waiting for requests")
	putItem(t, client, "orders", order("ana", 1, "open"))
	b.sees("1 requests")
	b.click("Compare with the last run")
	b.sees("No differences", "Requests 1 1 0")

	response, err := http.Get(b.url + "/_tabletop/console/api/recording")
	b.must(err)
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); response.StatusCode != http.StatusConflict {
		t.Errorf("the emulator's own recording: %d %s %v", response.StatusCode, body, err)
	}
}
