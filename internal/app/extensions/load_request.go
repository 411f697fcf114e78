package extensions

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// requestName is the file in the folder of a run that has its request, so that the run can be started again.
const requestName = "request.json"

// writeRequest writes the request of a run to its folder, which it creates. Errors: the folder exists.
func writeRequest(folder string, r loadRequest) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, requestName), text, 0o644)
}

// readRequest returns the request of the run in a folder, or nil if it has none. Errors: it cannot be read.
func readRequest(folder string) (*loadRequest, error) {
	text, err := os.ReadFile(filepath.Join(folder, requestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var r loadRequest
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return &r, err
}
