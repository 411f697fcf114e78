package steps

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// equal is an error that shows both when they differ.
func equal[T comparable](got, want T) error {
	if got != want {
		return fmt.Errorf("it is %v, not %v", got, want)
	}
	return nil
}

// Count reads a number in a sentence, where no is 0.
func Count(text string) int {
	n, _ := strconv.Atoi(text) // "no" is 0; the steps let through nothing else
	return n
}

// Await asks until the answer is yes: for what a real service finishes in its own time.
func Await(ctx context.Context, patience time.Duration, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
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
			return fmt.Errorf("not in %s", patience)
		case <-tick.C:
		}
	}
}
