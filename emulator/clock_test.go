package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestClockRunsFromItsStartUntilFrozen(t *testing.T) {
	t.Parallel()
	start := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	e := emulator.Run(t, emulator.WithClockStart(start), emulator.WithSpeed(1000))
	for !e.Now().After(start.Add(time.Second)) { // a millisecond of the machine's
	}
	e.Freeze()
	frozen := e.Now()
	if err := e.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	if moved := e.Now().Sub(frozen); moved != time.Hour {
		t.Errorf("frozen time moved by %v", moved)
	}
	if err := e.SetSpeed(2); err != nil {
		t.Error(err)
	}
	e.Resume()
	if !e.Now().After(frozen) {
		t.Errorf("time is %v", e.Now())
	}
}

func TestInvalidSpeedsAreRefused(t *testing.T) {
	t.Parallel()
	e, err := emulator.Start(emulator.WithSpeed(2e6))
	if err == nil {
		_ = e.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "0.001 to 1000000") {
		t.Errorf("%v", err)
	}
}
