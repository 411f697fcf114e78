package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tabletop-db/tabletop/internal/util/wholefile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// The names of the files that WriteFiles writes.
const (
	HTMLName = "loadtest.html"
	JSONName = "loadtest.json"
)

// WriteFiles writes the reports into a folder as HTML and JSON, and returns the name of the HTML file. It creates the
// folder if necessary. Existing reports of other profiles or targets stay, so that runs on several targets add up to
// one page.
func WriteFiles(dir string, reports []*result.Report) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cannot create the report folder: %w", err)
	}
	page, data := filepath.Join(dir, HTMLName), filepath.Join(dir, JSONName)
	earlier, err := readFile(data)
	if err != nil {
		return "", err
	}
	all := merge(earlier, reports)
	return page, errors.Join(
		writeTo(page, func(w io.Writer) error { return HTML(w, all) }),
		writeTo(data, func(w io.Writer) error { return result.WriteJSON(w, all) }))
}

// readFile returns the reports of earlier runs, or none if there is no file.
func readFile(name string) ([]*result.Report, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read earlier reports: %w", err)
	}
	defer f.Close()
	reports, err := result.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s was not written by this version: remove it, or set another folder (%w)", name, err)
	}
	return reports, nil
}

// merge returns all reports, with each new report replacing the earlier one of its profile and target.
func merge(earlier, reports []*result.Report) []*result.Report {
	all := slices.Clone(reports)
	for _, old := range earlier {
		again := func(r *result.Report) bool { return r.Profile.ID == old.Profile.ID && r.Target == old.Target }
		if !slices.ContainsFunc(reports, again) {
			all = append(all, old)
		}
	}
	slices.SortStableFunc(all, func(a, b *result.Report) int {
		return cmp.Or(cmp.Compare(a.Profile.ID, b.Profile.ID), cmp.Compare(a.Target, b.Target))
	})
	return all
}

// writeTo replaces a file with what render writes. If that fails, the file stays as it was: it has the reports of other
// runs.
func writeTo(name string, render func(io.Writer) error) error {
	if err := wholefile.Write(name, 0o666, render); err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}
