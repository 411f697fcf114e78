package emulatorcmd

import (
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/pflag"
	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/proto"
)

// TestMetricsAreSent starts an emulator with a collector, which receives the metrics of a request and of the process.
func TestMetricsAreSent(t *testing.T) {
	t.Parallel()
	var points, process int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		text, _ := io.ReadAll(unpacked)
		var body collector.ExportMetricsServiceRequest
		if err := proto.Unmarshal(text, &body); err != nil {
			t.Error(err)
			return
		}
		for _, m := range body.ResourceMetrics[0].ScopeMetrics[0].Metrics {
			for _, p := range m.GetSum().GetDataPoints() {
				if m.Name == "aws_dynamodb_user_errors_total" && p.GetAsDouble() == 1 {
					points++
				}
			}
			if strings.HasPrefix(m.Name, "go_") {
				process++
			}
		}
	}))
	defer server.Close()
	var f Flags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.BindGroups(flags)
	f.bindMetrics(flags)
	err := flags.Parse([]string{"--dynamodb-addr=127.0.0.1:0", "--cosmos-addr=", "--otlp-endpoint=" + server.URL})
	if err != nil {
		t.Fatal(err)
	}
	e, err := f.Start(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	missing := "missing"
	client := dynamodb.NewFromConfig(e.AWSConfig())
	if _, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &missing}); err == nil {
		t.Error("the table exists")
	}
	f.Close()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if points != 1 || process == 0 {
		t.Errorf("%d points, %d metrics of Go", points, process)
	}
	f.OTLPEndpoint = "127.0.0.1:4318"
	if _, err := f.Start(slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "--otlp-endpoint") {
		t.Error(err)
	}
}
