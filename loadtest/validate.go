package loadtest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/simulators/fleet"
)

var profileID = regexp.MustCompile(`^[A-Z]{2}-[A-Z]+[0-9]+(-[a-z]+)?$`)

const (
	maxRate     = 100_000 // requests a second
	maxDuration = 24 * time.Hour
	maxKeys     = 1_000
	maxReadings = 10_000 // of each device, before the attack
)

func (p *Profile) validate() error {
	switch {
	case !profileID.MatchString(p.ID):
		return fmt.Errorf("id %q: write one such as TL-L2 or TL-L2-extreme", p.ID)
	case p.Title == "" || p.Figure == "":
		return errors.New("title and figure are needed: what is shown, and what the document says")
	case p.Workers < 0 || p.Workers > maxWorkers:
		return fmt.Errorf("workers %d: give 1 to %d", p.Workers, maxWorkers)
	case p.onTable():
		return p.validateTable()
	case p.Population.Devices < 1 || p.Population.Devices > fleet.MaxDevices:
		return fmt.Errorf("population: %d devices: give 1 to %d", p.Population.Devices, fleet.MaxDevices)
	case p.Population.Keys < 1 || p.Population.Keys > maxKeys:
		return fmt.Errorf("population: %d keys: give 1 to %d", p.Population.Keys, maxKeys)
	case p.Population.Readings < 0 || p.Population.Readings > maxReadings:
		return fmt.Errorf("population: %d readings a device: give 0 to %d", p.Population.Readings, maxReadings)
	case p.busiest() > p.Population.Devices:
		return fmt.Errorf("mix: device %d: the population has %d", p.busiest(), p.Population.Devices)
	}
	for _, part := range p.Mix {
		if kinds[part.Request].needs && p.Population.Readings == 0 {
			return fmt.Errorf("a %s request needs readings: give the population at least 1 of each device", part.Request)
		}
	}
	return cmp.Or(first(p.Stages, Stage.validate, "stage"), first(p.Mix, Part.validate, "mix"), first(p.Limits, Limit.validate, "limit"))
}

// first returns the error of the first entry that has one; an empty list is one.
func first[T any](list []T, validate func(T) error, what string) error {
	if len(list) == 0 {
		return fmt.Errorf("%s: at least one is needed", what)
	}
	for i, v := range list {
		if err := validate(v); err != nil {
			return fmt.Errorf("%s %d: %w", what, i+1, err)
		}
	}
	return nil
}

func (s Stage) validate() error {
	if !(s.Rate > 0 && s.Rate <= maxRate) {
		return fmt.Errorf("rate %v: give more than 0 and at most %d requests a second", s.Rate, maxRate)
	}
	if s.Duration <= 0 || time.Duration(s.Duration) > maxDuration {
		return fmt.Errorf("duration %v: give more than 0 and at most 24h", time.Duration(s.Duration))
	}
	return nil
}

func (p Part) validate() error {
	k, known := kinds[p.Request]
	switch {
	case !known:
		return fmt.Errorf("no request %q: give one of %s", p.Request, names(kinds))
	case p.Bytes != 0:
		return fmt.Errorf("a %s request has no items: remove bytes", p.Request)
	case p.Weight < 1 || p.Weight > 1_000_000:
		return fmt.Errorf("weight %d: give 1 to 1000000", p.Weight)
	case p.Device < 0:
		return fmt.Errorf("device %d: give its number, from 1", p.Device)
	case p.Batch.Most > 0 && !k.carries:
		return fmt.Errorf("a %s request carries no readings: remove batch", p.Request)
	}
	return nil
}

func (l Limit) validate() error {
	if _, known := metrics[l.Metric]; !known {
		return fmt.Errorf("no metric %q: give one of %s", l.Metric, names(metrics))
	}
	if !profileID.MatchString(l.ID) {
		return fmt.Errorf("id %q: write the catalogue entry that the limit decides, such as TL-L2", l.ID)
	}
	if (l.AtMost == nil) == (l.AtLeast == nil) {
		return errors.New("give at_most or at_least")
	}
	for _, v := range []*float64{l.AtMost, l.AtLeast} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0) || *v < 0) {
			return fmt.Errorf("a limit is a number from 0, not %v", *v)
		}
	}
	return nil
}

// names lists the keys of a table in order.
func names[V any](table map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(table)), ", ")
}
