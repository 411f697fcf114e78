package telemetry

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// acceptAll is a database that accepts everything at once, so that only the cost of the service and of the SDK remains.
type acceptAll struct{}

func (acceptAll) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	body := "{}"
	if strings.HasSuffix(r.Header.Get("X-Amz-Target"), "BatchGetItem") {
		body = `{"Responses":{"devices":[{"hardware_id":{"S":"` + hardwareID(1) + `"},"friendly_name":{"S":"one"}}]}}`
	}
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(body)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}, ContentLength: int64(len(body)),
	}, nil
}

func fullRequest(b *testing.B) []byte {
	readings := make([]map[string]any, maxReadings)
	for i := range readings {
		readings[i] = readingOfDevice(hardwareID(1), noon+int64(i))
	}
	body, err := json.Marshal(map[string]any{"readings": readings})
	if err != nil {
		b.Fatal(err)
	}
	return body
}

// BenchmarkParse parses a request of 100 readings.
func BenchmarkParse(b *testing.B) {
	body := fullRequest(b)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseReadings(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIngest ingests a request of 100 readings (TL-L2) into a database that accepts everything at once.
func BenchmarkIngest(b *testing.B) {
	client := dynamodb.NewFromConfig(aws.Config{
		Region: "eu-central-1", HTTPClient: &http.Client{Transport: acceptAll{}},
		BaseEndpoint: aws.String("http://desk.example"),
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
	service, err := New(Config{Client: client, Pepper: "pepper", AdminToken: adminToken})
	if err != nil {
		b.Fatal(err)
	}
	body := fullRequest(b)
	b.ReportAllocs()
	for b.Loop() {
		if out, err := service.ingest(context.Background(), body); err != nil || out.Stored != maxReadings {
			b.Fatal(out, err)
		}
	}
}
