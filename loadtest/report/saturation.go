package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-db/tabletop/internal/indented"
	"github.com/tabletop-db/tabletop/loadtest"
)

// WriteSaturation writes what a search found as JSON into a folder, which it makes if need be, in place of what was
// found before. It returns the name of the file: saturation- and the profile's id.
func WriteSaturation(dir string, s *loadtest.Saturation) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cannot make the report's folder: %w", err)
	}
	name := filepath.Join(dir, "saturation-"+strings.ReplaceAll(s.Profile, string(filepath.Separator), "-")+".json")
	return name, writeTo(name, func(w io.Writer) error { return indented.WriteJSON(w, s) })
}
