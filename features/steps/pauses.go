package steps

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ComparePauses compares pauses with their expected means, given as a list in words, such as "25, 50 and 100", and a
// unit. Each pause must be within half of its mean, because it is random. Pauses that equal their means to the
// nanosecond are refused, because they are not random.
func ComparePauses(got []time.Duration, list string, unit time.Duration) error {
	var means []time.Duration
	for _, number := range strings.FieldsFunc(list, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(number)
		if err != nil {
			return err
		}
		means = append(means, time.Duration(n)*unit)
	}
	within := slices.EqualFunc(got, means, func(d, mean time.Duration) bool { return d >= mean/2 && d <= mean*3/2+1 })
	if !within || slices.Equal(got, means) {
		return fmt.Errorf("it waited %v", got)
	}
	return nil
}
