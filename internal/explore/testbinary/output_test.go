package testbinary

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestLongLinesAreCut(t *testing.T) {
	t.Parallel()
	in := bufio.NewReader(strings.NewReader(strings.Repeat("a", 3*maxLine) + "\nshort\nwithout an end"))
	for _, want := range []string{strings.Repeat("a", maxLine), "short\n", "without an end"} {
		line, err := readLine(in)
		if line != want || err != nil && err != io.EOF {
			t.Errorf("%d bytes, %v; want %d", len(line), err, len(want))
		}
	}
}

func TestTheLastOutputIsKept(t *testing.T) {
	t.Parallel()
	var o tail
	for range 3 {
		o.add(strings.Repeat("a", maxOutput/2-1) + "\n")
	}
	for _, line := range []string{"=== RUN   TestX\n", "\n", "    --- FAIL: TestX/run (0.00s)\n", "the last line\n"} {
		o.add(line)
	}
	text := o.String()
	if len(text) > maxOutput || !strings.HasSuffix(text, "a\nthe last line\n") || strings.Contains(text, "Test") {
		t.Errorf("%d bytes, which end with %q", len(text), text[max(0, len(text)-100):])
	}
}

func TestOnlyTheExploredTestRuns(t *testing.T) {
	t.Parallel()
	if got, want := Pattern("TestA(1)/b.c"), `^TestA\(1\)$/^b\.c$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	args := ownArgs([]string{"-test.run=X", "-test.short=true", "--test.v", "-own", "value"})
	if got := strings.Join(args, " "); got != "-test.short=true -own value" {
		t.Errorf("arguments %s", got)
	}
}
