package lint

import (
	"strings"
	"testing"
)

// mmapFile maps anonymous memory for scripts, not a file.
const mmapFile = "emulator/internal/cosmos/script/sandbox/memory_unix.go"

// objectFolder is the package that keeps objects as files, under a folder that os.Root confines it to.
const objectFolder = "emulator/internal/s3"

// TestServicesTouchNoFiles checks that no request can name a file or start a program: within the emulator only the
// store uses the system's files, under its folder, and S3, under its own.
func TestServicesTouchNoFiles(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		if s.isTest() || !under(s.folder(), "emulator/internal") || under(s.folder(), "emulator/internal/store") {
			continue
		}
		for _, imported := range s.file.Imports {
			path := strings.Trim(imported.Path.Value, `"`)
			if path == "syscall" && strings.HasSuffix(s.fset.Position(imported.Pos()).Filename, mmapFile) {
				continue
			}
			if path == "os" && s.folder() == objectFolder {
				continue
			}
			switch path {
			case "os", "os/exec", "io/ioutil", "syscall", "plugin", "unsafe":
				t.Errorf("%s imports %s: of the emulator's services only the store touches files", s.fset.Position(imported.Pos()),
					path)
			}
		}
	}
}
