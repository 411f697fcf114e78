package textlog

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestManyWriteAndRead(t *testing.T) {
	t.Parallel()
	var log Log
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 50 {
				_, _ = fmt.Fprintln(&log, "a line")
				_ = log.String()
			}
		})
	}
	writers.Wait()
	if got := log.String(); got != strings.Repeat("a line\n", 400) {
		t.Errorf("%d bytes", len(got))
	}
}
