package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tabletop-db/tabletop/loadtest"
)

// The names of the files that WriteFiles makes.
const (
	HTMLName = "loadtest.html"
	JSONName = "loadtest.json"
)

// WriteFiles writes the reports into a folder, which it makes if need be, as HTML and beside it as JSON. It returns the
// name of the HTML file.
func WriteFiles(dir string, reports []*loadtest.Report) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cannot make the report's folder: %w", err)
	}
	page := filepath.Join(dir, HTMLName)
	return page, errors.Join(
		writeFile(page, reports, HTML),
		writeFile(filepath.Join(dir, JSONName), reports, loadtest.WriteJSON),
	)
}

func writeFile(name string, reports []*loadtest.Report, render func(io.Writer, []*loadtest.Report) error) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return errors.Join(render(f, reports), f.Close())
}
