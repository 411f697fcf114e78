package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxLine is the maximum length of an entry, in bytes. A real one has about 500.
const maxLine = 64 << 10

// Append adds a run to a file. It creates the file and its folder if necessary.
func Append(name string, e Entry) (err error) {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("cannot create the folder of the history: %w", err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("cannot open the history: %w", err)
	}
	_, err = f.Write(append(line, '\n')) // in one write, so that two processes do not interleave
	return errors.Join(err, f.Close())
}

// ReadFile reads the runs of a file, in order. Errors name the line.
func ReadFile(name string) ([]Entry, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the history (%w): record one with tabletop loadtest run --history FILE", err)
	}
	defer f.Close()
	entries, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return entries, nil
}

// Read reads what Append wrote. It ignores empty lines.
func Read(r io.Reader) (entries []Entry, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d is not a run: %w", n, err)
		}
		if e.Profile == "" || e.Commit == "" {
			return nil, fmt.Errorf("line %d is not a run: profile or commit is missing", n)
		}
		entries = append(entries, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("after line %d: %w", n, err)
	}
	return entries, nil
}
