package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/loadtest"
)

// WriteSaturation writes the result of a search as JSON into a folder, replacing an earlier one. It creates the folder
// if necessary and returns the name of the file: saturation- followed by the profile's id.
func WriteSaturation(dir string, s *loadtest.Saturation) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cannot create the report folder: %w", err)
	}
	name := filepath.Join(dir, "saturation-"+strings.ReplaceAll(s.Profile, string(filepath.Separator), "-")+".json")
	return name, writeTo(name, func(w io.Writer) error { return indented.WriteJSON(w, s) })
}
