package emulator

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// named answers with its name and the body of the request.
type named string

func (n named) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = io.WriteString(w, string(n)+" "+string(body))
}

// TestEachServiceGetsItsRequests sends requests as SDKs and tools do, all to one port.
func TestEachServiceGetsItsRequests(t *testing.T) {
	t.Parallel()
	f := &front{dynamo: named("dynamo"), kms: named("kms"), sts: named("sts"), cloudwatch: named("cloudwatch"),
		kinesis: named("kinesis"), scaling: named("scaling"), health: named("dynamo"),
		console: control.Console{Admin: named("admin"), Metrics: named("metrics"), Web: named("web")}}
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
	for _, c := range []struct {
		method, path string
		header       map[string]string
		body, want   string
	}{
		{"POST", "/", map[string]string{"X-Amz-Target": "DynamoDB_20120810.GetItem"}, "{}", "dynamo {}"},
		{"POST", "/", map[string]string{"X-Amz-Target": "DynamoDBStreams_20120810.GetRecords"}, "{}", "dynamo {}"},
		{"POST", "/", map[string]string{"X-Amz-Target": "TrentService.Encrypt"}, "{}", "kms {}"},
		{"POST", "/", map[string]string{"X-Amz-Target": "GraniteServiceVersion20100801.ListMetrics"}, "{}", "cloudwatch {}"},
		{"POST", "/", map[string]string{"X-Amz-Target": "Kinesis_20131202.PutRecord"}, "{}", "kinesis {}"},
		{"POST", "/", map[string]string{"X-Amz-Target": "AnyScaleFrontendService.TagResource"}, "{}", "scaling {}"},
		{"POST", "/service/GraniteServiceVersion20100801/operation/ListMetrics", nil, "{}", "cloudwatch {}"},
		{"POST", "/", form, "Action=ListMetrics&Version=2010-08-01", "cloudwatch Action=ListMetrics&Version=2010-08-01"},
		{"POST", "/", form, "Action=GetCallerIdentity&Version=2011-06-15", "sts Action=GetCallerIdentity&Version=2011-06-15"},
		{"POST", "/", form, "Action=Dance&Version=1999-01-01", "dynamo Action=Dance&Version=1999-01-01"},
		{"POST", "/", form, "Action=%", "dynamo Action=%"},
		{"POST", "/", map[string]string{"X-Amz-Target": "Other.Thing"}, "{}", "dynamo {}"},
		{"GET", "/metrics", nil, "", "metrics "},
		{"GET", "/_tabletop/clock", nil, "", "admin "},
		{"GET", "/_tabletop/consoles", nil, "", "admin "},
		{"GET", "/_tabletop", nil, "", "web "},
		{"GET", "/_tabletop/", nil, "", "web "},
		{"GET", "/_tabletop/console", nil, "", "web "},
		{"POST", "/_tabletop/console/api/dynamodb/GetItem", nil, "{}", "web {}"},
		{"GET", "/", nil, "", "dynamo "},
		{"POST", "/metrics", nil, "", "dynamo "},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		for name, value := range c.header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if got := w.Body.String(); got != c.want {
			t.Errorf("%s %s %v %q: answered by %q, want %q", c.method, c.path, c.header, c.body, got, c.want)
		}
	}
}

// TestACompressedFormFindsItsService sends a form that an SDK compressed, and one that only claims to be compressed.
func TestACompressedFormFindsItsService(t *testing.T) {
	t.Parallel()
	f := &front{dynamo: named("dynamo"), cloudwatch: named("cloudwatch")}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write([]byte("Action=PutMetricData&Version=2010-08-01")); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{packed.String(): "cloudwatch ", "Version=2010-08-01": "dynamo ",
		packed.String()[:20]: "dynamo "} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Content-Encoding", "gzip")
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if got := w.Body.String(); got != want+body {
			t.Errorf("%q is answered by %q, want %s", body, got, want)
		}
	}
}
