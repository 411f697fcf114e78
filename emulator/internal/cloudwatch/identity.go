package cloudwatch

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// Limits of a metric's dimensions and names.
const (
	maxDimensions = 30
	maxName       = 255
	maxValue      = 1024
)

// idOf checks and returns the identity of a metric. where is the prefix of its members in errors.
func (c *caller) idOf(where string, namespace, name *string, dimensions []Dimension) (metrics.ID, error) {
	var id metrics.ID
	if zero(namespace) == "" {
		return id, mustNotBeNull(where + "namespace")
	}
	if zero(name) == "" {
		return id, mustNotBeNull(where + "metricName")
	}
	if len(*namespace) > maxName || len(*name) > maxName || !printable(*namespace) || !printable(*name) {
		return id, invalidValue("The name of a metric and its namespace have 1 to %d characters that can be printed.",
			maxName)
	}
	if len(dimensions) > maxDimensions {
		return id, invalidValue("A metric has at most %d dimensions, not %d.", maxDimensions, len(dimensions))
	}
	pairs := make([]metrics.Dimension, len(dimensions))
	for i, d := range dimensions {
		pairs[i] = metrics.Dimension{Name: zero(d.Name), Value: zero(d.Value)}
		if !validDimension(pairs[i]) {
			return id, invalidValue("A dimension has a name of 1 to %d and a value of 1 to %d characters that can be printed.",
				maxName, maxValue)
		}
	}
	return metrics.NewID(c.account, *namespace, *name, pairs...), nil
}

func validDimension(d metrics.Dimension) bool {
	return d.Name != "" && len(d.Name) <= maxName && printable(d.Name) && d.Value != "" && len(d.Value) <= maxValue &&
		printable(d.Value)
}

// printable reports whether a text has no control characters.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7f })
}

// dimensionsOf returns the dimensions of a metric for responses.
func dimensionsOf(id metrics.ID) []Dimension {
	var all []Dimension
	for _, d := range id.Dimensions {
		all = append(all, Dimension{&d.Name, &d.Value})
	}
	return all
}

// isUnit reports whether unit is one of CloudWatch's units.
func isUnit(unit string) bool {
	switch base, rate := strings.CutSuffix(unit, "/Second"); base {
	case "Bytes", "Kilobytes", "Megabytes", "Gigabytes", "Terabytes", "Bits", "Kilobits", "Megabits", "Gigabits",
		"Terabits", "Count":
		return true
	case "Seconds", "Microseconds", "Milliseconds", "Percent", "None":
		return !rate
	}
	return false
}

// checkUnit refuses an unknown unit. A nil unit is valid.
func checkUnit(unit *string) error {
	if unit != nil && !isUnit(*unit) {
		return constraintError(*unit, "unit",
			"Member must satisfy enum value set: CloudWatch's units, such as Count, Milliseconds or None")
	}
	return nil
}
