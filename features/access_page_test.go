package features

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/backend"
	backendverification "github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/features/access"
	"github.com/tabletop-db/tabletop/features/devicetoken"
	"github.com/tabletop-db/tabletop/features/kefir"
	"github.com/tabletop-db/tabletop/features/notification"
	"github.com/tabletop-db/tabletop/features/telemetry"
	"github.com/tabletop-db/tabletop/features/verification"
)

var rewrite = flag.Bool("rewrite", false, "write docs/access.md")

// TestAccessPage checks that docs/access.md shows the table that the scenarios test.
func TestAccessPage(t *testing.T) {
	t.Parallel()
	const page = "../docs/access.md"
	systems := []access.System{devicetoken.Access(), kefir.Access(), notification.Access(), telemetry.Access(),
		verification.Access()}
	want, err := access.Page(systems, func(s access.System) ([]byte, error) { return openAPI(t, s.Name) })
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/access.md is not that of the backends: go test ./features -run TestAccessPage -rewrite\n%s", diff)
	}
}

// openAPI returns a system's document. Its database does not exist, because nothing calls it.
func openAPI(t *testing.T, system string) ([]byte, error) {
	t.Helper()
	key, err := azcosmos.NewKeyCredential("a2V5")
	if err != nil {
		return nil, err
	}
	client, err := azcosmos.NewClientWithKey("https://127.0.0.1:1", key, nil)
	if err != nil {
		return nil, err
	}
	server, err := backend.New(backend.Config{
		Systems: []string{system}, AWS: aws.Config{Region: backendverification.Region}, Cosmos: client, AdminToken: "unused",
		Pepper: "unused",
	})
	if err != nil {
		return nil, err
	}
	out := httptest.NewRecorder()
	server.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "/"+system+"/openapi.json", nil))
	return out.Body.Bytes(), nil
}
