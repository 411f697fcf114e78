package backend

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

// TestServeTLS checks that neither the server nor its client of the database accepts TLS older than 1.2 (VR-R10).
func TestServeTLS(t *testing.T) {
	t.Parallel()
	borrowed := httptest.NewTLSServer(nil)
	defer borrowed.Close()
	cfg := offline()
	cfg.TLS = &tls.Config{Certificates: borrowed.TLS.Certificates}
	server, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(t.Context(), listener) }() // ends with the test
	for version, valid := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true,
		tls.VersionTLS13: true} {
		client := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version},
		}}
		response, err := client.Get("https://" + listener.Addr().String() + "/healthz")
		if (err == nil) != valid {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if err == nil {
			_ = response.Body.Close()
		}
		client.CloseIdleConnections()
	}
	if got := httpClient(aws.Config{}).(*awshttp.BuildableClient).GetTransport().TLSClientConfig; got == nil ||
		got.MinVersion < tls.VersionTLS12 {
		t.Errorf("the client of the database: %+v", got)
	}
}

// TestServerTLS checks that errors say what is wrong with the files.
func TestServerTLS(t *testing.T) {
	t.Parallel()
	none := filepath.Join(t.TempDir(), "none.pem")
	if err := os.WriteFile(none, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{none, none + "x"} {
		if _, err := ServerTLS(name, name); err == nil || !strings.Contains(err.Error(), "use two matching PEM files") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
