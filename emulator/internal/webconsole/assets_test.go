package webconsole

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// maxAssets is the size in bytes of all files of the page together, as a browser has them.
const maxAssets = 1_500_000

// eachAsset calls check with each file, decompressed.
func eachAsset(t *testing.T, check func(name string, content []byte)) {
	t.Helper()
	err := fs.WalkDir(assets, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := assets.ReadFile(name)
		if err != nil {
			return err
		}
		check(strings.TrimSuffix(name, ".gz"), decompress(content)) // a file that is not compressed is nil
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAssets checks each file, and how large the page is.
func TestAssets(t *testing.T) {
	t.Parallel()
	total := 0
	eachAsset(t, func(name string, content []byte) {
		total += len(content)
		if len(content) == 0 || mediaTypes[path.Ext(name)] == "" {
			t.Errorf("%s has %d bytes and the type %q", name, len(content), mediaTypes[path.Ext(name)])
		}
		if name == assetsPath+startPage && !strings.Contains(string(content), `src="/_tabletop/console/assets/`) {
			t.Error("the start page has no script")
		}
	})
	if total > maxAssets {
		t.Errorf("the page has %d bytes, more than %d", total, maxAssets)
	}
}

// get requests a path below control.ConsolePath of a console without an emulator.
func get(path, encoding string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, "http://localhost/_tabletop/console/"+path, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	(&console{}).serve(w, r)
	return w.Result()
}

// TestAssetsAreServed requests each file, from a client that decompresses and one that does not.
func TestAssetsAreServed(t *testing.T) {
	t.Parallel()
	eachAsset(t, func(name string, content []byte) {
		for _, encoding := range []string{"", "gzip;q=0, br", "gzip; q=0.000", "br, gzip"} {
			resp := get(name, encoding)
			var got bytes.Buffer
			if _, err := got.ReadFrom(resp.Body); err != nil {
				t.Fatal(err)
			}
			body := got.Bytes()
			if resp.Header.Get("Content-Encoding") == "gzip" {
				if body = decompress(body); encoding != "br, gzip" {
					t.Errorf("%s is compressed for %q", name, encoding)
				}
			}
			immutable := strings.Contains(resp.Header.Get("Cache-Control"), "immutable")
			if resp.StatusCode != http.StatusOK || !bytes.Equal(body, content) ||
				immutable != (name != assetsPath+startPage) { // whose name does not change with its content
				t.Errorf("%s for %q: %s, %d bytes, %v", name, encoding, resp.Status, len(body), resp.Header)
			}
		}
	})
}

// TestPathsOfThePage requests paths of the page, which its script shows, and of files that do not exist.
func TestPathsOfThePage(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{"": 200, "dynamodb/tables/orders": 200, "cosmos/a%2Fb/..": 200,
		"assets/": 404, "assets/none.js": 404, "assets/../assets.go": 404, "assets/index.html.gz": 404,
		"assets/..%2Fassets.go": 404,
		"api/none":              404, "api/": 404, "api/session/x": 404} {
		resp := get(path, "")
		if resp.StatusCode != want {
			t.Errorf("%q: %s", path, resp.Status)
		}
		if want == 200 && (resp.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
			strings.Contains(resp.Header.Get("Cache-Control"), "immutable")) {
			t.Errorf("%q: %v", path, resp.Header)
		}
	}
}

// TestDecompress checks that nothing that is not compressed is served as if it were.
func TestDecompress(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("content")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := string(decompress(packed.Bytes())); got != "content" {
		t.Errorf("%q", got)
	}
	if got := decompress([]byte("content")); got != nil {
		t.Errorf("%q", got)
	}
}

// TestOperationsPageIsComplete compares the operations that the page of operations offers with those of the services.
func TestOperationsPageIsComplete(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("ui/src/pages/operations/operations.ts")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../dynamo/operations.go")
	if err != nil {
		t.Fatal(err)
	}
	defined := regexp.MustCompile(`(?m)^\t"([A-Z][A-Za-z]+)": +define`).FindAllSubmatch(source, -1)
	for _, match := range defined {
		if !regexp.MustCompile(`\b` + string(match[1]) + `:`).Match(page) {
			t.Errorf("the page has no template for %s", match[1])
		}
	}
	if len(defined) < 66 {
		t.Errorf("only %d operations were found in the source", len(defined))
	}
}
