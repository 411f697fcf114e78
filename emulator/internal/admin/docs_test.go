package admin

import (
	"bytes"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/util/apidocs"
)

var update = flag.Bool("update", false, "write docs.html")

// TestTheDocsPageIsOfTheAPI checks that docs.html is generated from start.html and the description of all topics.
func TestTheDocsPageIsOfTheAPI(t *testing.T) {
	t.Parallel()
	c := Config{Version: docsVersion, Topics: topics(control.Emulator{})}
	intro, err := os.ReadFile("start.html")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	api := humago.New(mux, c.openAPI())
	page := apidocs.Page{Path: control.Path, Intro: string(intro), Access: exampleHeader}
	for _, topic := range c.Topics {
		page.Tags = append(page.Tags, topic.Name())
		topic.Routes(group{api, topic.Name(), nil})
	}
	if err := page.Mount(mux, api.OpenAPI()); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://"+docsHost+control.Path+"/docs", nil))
	if *update {
		if err := os.WriteFile("docs.html", w.Body.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile("docs.html"); err != nil || !bytes.Equal(kept, w.Body.Bytes()) {
		t.Errorf("docs.html is not of the API as it is: go test ./emulator/internal/admin -run DocsPage -update (%v)", err)
	}
}

// exampleHeader returns the header that a change without a body needs.
func exampleHeader(op *huma.Operation) (who, header string) {
	if op.RequestBody == nil && op.Method != http.MethodGet && op.Method != http.MethodDelete {
		return "", "Content-Type: application/json"
	}
	return "", ""
}
