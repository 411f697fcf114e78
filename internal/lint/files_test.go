package lint

import (
	"strings"
	"testing"
)

// TestServicesTouchNoFiles holds that no request can name a file or start a program: of what the emulator is made of, the
// store alone reaches the system's files, below the folder that it was given.
func TestServicesTouchNoFiles(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.isTest() || !under(s.folder(), "emulator/internal") || under(s.folder(), "emulator/internal/store") {
			continue
		}
		for _, imported := range s.file.Imports {
			switch path := strings.Trim(imported.Path.Value, `"`); path {
			case "os", "os/exec", "io/ioutil", "syscall", "plugin", "unsafe":
				t.Errorf("%s imports %s: of the emulator's services only the store touches files", s.fset.Position(imported.Pos()), path)
			}
		}
	}
}
