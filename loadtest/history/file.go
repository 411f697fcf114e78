package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxLine is the maximum length of an entry, in bytes. A real one has about 500.
const maxLine = 64 << 10

// Append adds a run to a file. It creates the file and its folder if necessary. If the last line is incomplete, because
// the disk was full or the process ended while it was written, the run gets a line of its own.
func Append(name string, e Entry) (err error) {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("cannot create the folder of the history: %w", err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("cannot open the history: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if complete, err := endsWithNewline(f); err != nil {
		return fmt.Errorf("cannot read the history: %w", err)
	} else if !complete {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(append(line, '\n')) // in one write, so that two processes do not interleave
	return err
}

// endsWithNewline reports whether the last line of a file is complete. An empty file has no incomplete line.
func endsWithNewline(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return true, err
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return last[0] == '\n', err
}

// ReadFile reads the runs of a file, in order, and returns the numbers of the lines that are incomplete. Errors name
// the line.
func ReadFile(name string) (entries []Entry, incomplete []int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the history (%w): record one with tabletop loadtest run --history FILE",
			err)
	}
	defer f.Close()
	if entries, incomplete, err = Read(f); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return entries, incomplete, nil
}

// Read reads what Append wrote. It skips empty lines and those that are incomplete, and returns the numbers of the
// latter.
func Read(r io.Reader) (entries []Entry, incomplete []int, err error) {
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
			if isIncomplete(lines.Bytes()) {
				incomplete = append(incomplete, n)
				continue
			}
			return nil, nil, fmt.Errorf("line %d is not a run: %w", n, err)
		}
		if e.Profile == "" || e.Commit == "" {
			return nil, nil, fmt.Errorf("line %d is not a run: profile or commit is missing", n)
		}
		entries = append(entries, e)
	}
	if err := lines.Err(); err != nil {
		return nil, nil, fmt.Errorf("after line %d: %w", n, err)
	}
	return entries, incomplete, nil
}

// isIncomplete reports whether a line is only the beginning of a JSON value.
func isIncomplete(line []byte) bool {
	var value json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(line)).Decode(&value), io.ErrUnexpectedEOF)
}
