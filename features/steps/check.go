package steps

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// equal returns an error that shows both values if they differ.
func equal[T comparable](got, want T) error {
	if got != want {
		return fmt.Errorf("it is %v, not %v", got, want)
	}
	return nil
}

// Count parses a number in a step; "no" is 0.
func Count(text string) int {
	n, _ := strconv.Atoi(text) // "no" is 0; the steps match nothing else
	return n
}

// Await calls done until it returns true or patience is over. It is for what a real service finishes in its own time.
func Await(ctx context.Context, timeout time.Duration, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := done()
		if ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not in %s", timeout)
		case <-tick.C:
		}
	}
}
