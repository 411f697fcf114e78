package processors

import (
	"runtime"
	"testing"
)

// The tests are not parallel: they change the process.

func TestOneIsAddedOnce(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	want := Count() + 1
	for range 2 {
		AddOne()
		if got := runtime.GOMAXPROCS(0); got != want {
			t.Errorf("%d goroutines run at a time, want %d", got, want)
		}
	}
	if Count() != want-1 {
		t.Errorf("there are %d processors, want %d", Count(), want-1)
	}
}

func TestTheUsersNumberIsObeyed(t *testing.T) {
	t.Setenv("GOMAXPROCS", "7")
	before := runtime.GOMAXPROCS(0)
	AddOne()
	if got := runtime.GOMAXPROCS(0); got != before {
		t.Errorf("%d goroutines run at a time, want %d", got, before)
	}
}
