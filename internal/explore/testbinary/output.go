package testbinary

import (
	"bufio"
	"errors"
	"strings"
)

const (
	maxOutput = 16 << 10 // bytes of a run's output that are kept: the last ones
	maxLine   = 1 << 20  // bytes of a line that are kept: the first ones
)

// readLine reads a line with its end. The rest of a line longer than maxLine is left out.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxLine-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(line), err
		}
	}
}

// tail keeps the last lines of an output, without those of the testing package.
type tail struct {
	lines []string
	size  int
}

func (t *tail) add(line string) {
	if strings.HasPrefix(line, "=== ") || strings.HasPrefix(strings.TrimLeft(line, " "), "--- ") ||
		strings.TrimSpace(line) == "" {
		return // of the testing package
	}
	line = line[max(0, len(line)-maxOutput):]
	t.lines, t.size = append(t.lines, line), t.size+len(line)
	for t.size > maxOutput {
		t.size -= len(t.lines[0])
		t.lines = t.lines[1:]
	}
}

func (t *tail) String() string { return strings.Join(t.lines, "") }
