package cloudwatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestTranscripts answers the requests of testdata/transcripts, a file for each operation, each on a new CloudWatch at
// noon of 2026-11-21:
//
//	ask OPERATION       a request of the JSON protocol
//	form                a request of the query protocol, a member per line
//	observe TABLE NAME  values of a DynamoDB metric at the current time
//	advance D           moves the clock
func TestTranscripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		d := newTestService(t, Webhook{})
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			switch c.Cmd {
			case "ask":
				return d.ask(c.CmdArgs[0].Key, c.Input)
			case "form":
				return d.form(strings.ReplaceAll(strings.Join(strings.Fields(c.Input), "&"), "+", "%2B"))
			case "observe":
				for _, text := range strings.Fields(c.Input) {
					value, err := strconv.ParseFloat(text, 64)
					if err != nil {
						t.Fatal(err)
					}
					d.observe(c.CmdArgs[0].Key, c.CmdArgs[1].Key, value)
				}
				return ""
			case "advance":
				by, err := time.ParseDuration(c.CmdArgs[0].Key)
				if err != nil {
					t.Fatal(err)
				}
				d.advance(by)
				return ""
			}
			t.Fatalf("unknown command %s", c.Cmd)
			return ""
		})
	})
}

// TestEveryOperationHasATranscript checks that each operation has a transcript, and each transcript an operation.
func TestEveryOperationHasATranscript(t *testing.T) {
	t.Parallel()
	capital := regexp.MustCompile(`[A-Z]`)
	for name := range operations() {
		file := strings.TrimPrefix(capital.ReplaceAllStringFunc(name, func(c string) string {
			return "_" + strings.ToLower(c)
		}), "_")
		if _, err := os.Stat(filepath.Join("testdata", "transcripts", file)); err != nil {
			t.Errorf("%s has no transcript: %v", name, err)
		}
	}
}

func (d *testService) ask(operation, body string) string {
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "GraniteServiceVersion20100801."+operation)
	w := d.answer(r)
	var indented bytes.Buffer
	if err := json.Indent(&indented, w.Body.Bytes(), "", "  "); err != nil {
		return w.Body.String()
	}
	return fmt.Sprintf("%d %s\n", w.Code, indented.String())
}

func (d *testService) form(body string) string {
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := d.answer(r)
	text := regexp.MustCompile(`<RequestId>[^<]*`).ReplaceAllString(w.Body.String(), "<RequestId>…")
	return fmt.Sprintf("%d %s\n", w.Code, strings.ReplaceAll(text, "><", ">\n<"))
}

func (d *testService) answer(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.service.ServeHTTP(w, r)
	return w
}
