package verification

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/tables"
	schema "github.com/tabletop-db/tabletop/backend/verification"
)

func (w *world) schemaSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the tables are created from their description$`, w.described)
	sc.Step(`^the table is on demand, encrypted by the AWS managed key, with recovery for (\d+) days$`, w.isAsDescribed)
	sc.Step(`^the schema is version "([^"]*)", by its checksum$`, w.isLocked)
	sc.Step(`^the service starts in "([^"]*)"(?: at "([^"]*)")?$`, w.startIn)
	sc.Step(`^it does not start and says "([^"]*)"$`, w.doesNotStart)
	sc.Step(`^it starts$`, func() error { return w.startup })
	sc.Step(`^a client that speaks TLS ([0-9.]+) is (refused|served)$`, w.connectsWithTLS)
}

func (w *world) isAsDescribed(ctx context.Context, days int32) error {
	d, err := w.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	backups, err := w.Client.DescribeContinuousBackups(ctx,
		&dynamodb.DescribeContinuousBackupsInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	recovery := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	sse, billing := d.Table.SSEDescription, d.Table.BillingModeSummary
	alias := "alias/aws/dynamodb"
	key, err := kms.NewFromConfig(w.Target.Config).DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &alias})
	if err != nil {
		return err
	}
	if sse == nil || aws.ToString(sse.KMSMasterKeyArn) != *key.KeyMetadata.Arn ||
		billing == nil || billing.BillingMode != "PAY_PER_REQUEST" ||
		recovery.PointInTimeRecoveryStatus != "ENABLED" || aws.ToInt32(recovery.RecoveryPeriodInDays) != days {
		return fmt.Errorf("it is %+v, %+v, %+v", sse, billing, recovery)
	}
	return nil
}

func (w *world) isLocked(version string) error {
	if got := tables.Checksum(schema.Schema("")); schema.Version != version || got != schema.Checksum {
		return fmt.Errorf("it is version %s with the checksum %s", schema.Version, got)
	}
	return nil
}

// startIn starts a service in a region. It sends no requests.
func (w *world) startIn(region, endpoint string) {
	cfg := w.config(aws.Config{})
	cfg.AWS = aws.Config{Region: region, Credentials: credentials.NewStaticCredentialsProvider("specs", "specs", "")}
	if endpoint != "" {
		cfg.AWS.BaseEndpoint = aws.String(endpoint)
	}
	_, w.startup = backend.New(cfg)
}

func (w *world) doesNotStart(word string) error {
	if w.startup == nil || !strings.Contains(w.startup.Error(), word) {
		return fmt.Errorf("it says %w", errors.Join(w.startup, errors.New("nothing more")))
	}
	return nil
}

// connectsWithTLS sends a request to a service with TLS and a test certificate, with one TLS version.
func (w *world) connectsWithTLS(ctx context.Context, version, what string) error {
	borrowed := httptest.NewTLSServer(nil)
	defer borrowed.Close()
	cfg := w.config(w.RecordedConfig())
	cfg.TLS = &tls.Config{Certificates: borrowed.TLS.Certificates}
	server, err := backend.New(cfg)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { _ = server.Serve(ctx, listener) }() // ends with the step
	number := map[string]uint16{"1.0": tls.VersionTLS10, "1.1": tls.VersionTLS11, "1.2": tls.VersionTLS12,
		"1.3": tls.VersionTLS13}[version]
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: number,
		MaxVersion: number}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+listener.Addr().String()+
		"/verification/healthz", nil)
	if err != nil {
		return err
	}
	answer, err := transport.RoundTrip(request)
	if err == nil {
		err = answer.Body.Close()
	}
	if (err == nil) != (what == "served") {
		return fmt.Errorf("it ended with %w", errors.Join(err, errors.New("no refusal")))
	}
	return nil
}
