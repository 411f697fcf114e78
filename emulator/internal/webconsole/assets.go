package webconsole

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// assets are the files of the page. Each file NAME is there as NAME.gz, compressed, so that the program stays small.
//
//go:embed assets
var assets embed.FS

// assetsPath is the folder of the files, relative to control.ConsolePath and in assets.
const assetsPath = "assets/"

// startPage is the page for all paths that are no file. Its script shows what the path names.
const startPage = "index.html"

// servePage serves a file, or the start page. The path is relative to control.ConsolePath.
func servePage(w http.ResponseWriter, r *http.Request, name string) {
	if !strings.HasPrefix(name, assetsPath) || name == assetsPath+startPage {
		serveAsset(w, r, assetsPath+startPage)
		return
	}
	// the name of each other file changes with its content
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	serveAsset(w, r, name)
}

// serveAsset serves a file of assets.
func serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	content, err := assets.ReadFile(name + ".gz")
	if err != nil {
		w.Header().Set("Cache-Control", "no-store")
		control.WriteProblem(w, http.StatusNotFound, "the console has no file "+name)
		return
	}
	header := w.Header()
	header.Set("Content-Type", mediaTypes[path.Ext(name)])
	header.Set("Vary", "Accept-Encoding")
	if acceptsGzip(r) {
		header.Set("Content-Encoding", "gzip")
	} else {
		content = decompress(content)
	}
	header.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // fails only if the client has left
	}
}

// mediaTypes are the content types of files by their extension. They do not depend on the types that the machine knows.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".png": "image/png", ".svg": "image/svg+xml", ".woff2": "font/woff2",
}

// acceptsGzip reports whether the client decompresses responses (RFC 9110, section 12.5.3).
func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(strings.ToLower(r.Header.Get("Accept-Encoding")), ",") {
		name, quality, weighted := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		if name == "gzip" {
			q, err := strconv.ParseFloat(quality, 64)
			return !weighted || err == nil && q > 0
		}
	}
	return false
}

// decompress returns the content of a compressed file of assets, which a test checks.
func decompress(packed []byte) []byte {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	content, _ := io.ReadAll(reader)
	return content
}
