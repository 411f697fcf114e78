package profile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

var profileID = lazyregexp.New(`^[A-Z]{2}-[A-Z]+[0-9]+(-[a-z]+)?$`)

const (
	MaxWorkers  = 4000    // maximum requests under way, beyond which the pace slows
	maxRate     = 100_000 // requests per second
	maxMonthly  = 1_000_000_000_000
	maxDuration = 24 * time.Hour
)

// Validate returns what is wrong with the profile, in one line. It does not check metrics; verdict.Check does.
func (p *Profile) Validate() error {
	switch {
	case !profileID.MatchString(p.ID):
		return fmt.Errorf("id %q: must be like TL-L2 or TL-L2-extreme", p.ID)
	case p.Title == "" || p.Figure == "":
		return errors.New("title or figure is missing")
	case p.system().kinds == nil:
		return fmt.Errorf("unknown system %q; use one of %s", p.System, names(systems()))
	case p.Workers < 0 || p.Workers > MaxWorkers:
		return fmt.Errorf("workers %d: must be 1 to %d", p.Workers, MaxWorkers)
	}
	part := func(part Part) error { return part.validate(p) }
	err := cmp.Or(p.validatePopulation(), validateAll(p.Stages, Stage.validate, "stage"), validateAll(p.Mix, part, "mix"),
		validateAll(p.Limits, Limit.validate, "limit"))
	if err == nil && !slices.ContainsFunc(p.Stages, func(s Stage) bool { return !s.WarmUp }) {
		err = errors.New("stage: needs at least one without warm_up")
	}
	if err == nil && len(p.Access) > 0 {
		err = validateAll(p.Access, func(a Access) error { return a.validate(p) }, "access")
	}
	if err == nil && p.system().check != nil {
		err = p.system().check(p)
	}
	return err
}

// validatePopulation checks that the population has only things that its system knows, and the right number of each.
func (p *Profile) validatePopulation() error {
	can := p.system().population
	for _, name := range slices.Sorted(maps.Keys(p.Population)) {
		if _, known := can[name]; !known {
			return fmt.Errorf("population: unknown %s in %s; use %s", name, p.System, names(can))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(can)) {
		if n, of := p.Population[name], can[name]; n < of.min || n > of.max {
			return fmt.Errorf("population: %d %s: must be %d to %d", n, name, of.min, of.max)
		}
	}
	return nil
}

// validateAll returns the error of the first invalid entry. An empty list is an error.
func validateAll[T any](list []T, validate func(T) error, what string) error {
	if len(list) == 0 {
		return fmt.Errorf("%s: needs at least one", what)
	}
	for i, v := range list {
		if err := validate(v); err != nil {
			return fmt.Errorf("%s %d: %w", what, i+1, err)
		}
	}
	return nil
}

func (p Part) validate(in *Profile) error {
	k, known := in.system().kinds[p.Request]
	subjects := in.Population[in.system().subject]
	switch {
	case !known:
		return fmt.Errorf("unknown request %q of %s; use one of %s", p.Request, in.System, names(in.system().kinds))
	case k.requires != "" && in.Population[k.requires] == 0:
		return fmt.Errorf("a %s request needs %s: the population must have at least 1", p.Request, k.requires)
	case p.Weight < 1 || p.Weight > 1_000_000:
		return fmt.Errorf("weight %d: must be 1 to 1000000", p.Weight)
	case p.Monthly < 0 || p.Monthly > maxMonthly:
		return fmt.Errorf("monthly %d: must be 0 to %d", p.Monthly, maxMonthly)
	case p.Only < 0 || p.Only > subjects:
		return fmt.Errorf("only %d: must be from 1; the population has %d %s", p.Only, subjects, in.system().subject)
	case p.Batch.Max > 0 && k.maxBatch == 0:
		return fmt.Errorf("a %s request has no batch; remove batch", p.Request)
	case p.Batch.Max > max(k.maxBatch, 1):
		return fmt.Errorf("a %s request takes a batch of at most %d", p.Request, k.maxBatch)
	case p.Bytes != 0 && !k.hasItemSize:
		return fmt.Errorf("a %s request has no item size; remove bytes", p.Request)
	}
	return nil
}

func (l Limit) validate() error {
	if !profileID.MatchString(l.ID) {
		return fmt.Errorf("id %q: must be the catalogue entry that the limit decides, such as TL-L2", l.ID)
	}
	switch {
	case l.AtMost == nil && l.AtLeast == nil:
		return errors.New("needs at_most, at_least or both")
	case l.AtMost != nil && l.AtLeast != nil && *l.AtMost < *l.AtLeast:
		return fmt.Errorf("at_most %v is less than at_least %v", *l.AtMost, *l.AtLeast)
	}
	for _, v := range []*float64{l.AtMost, l.AtLeast} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0) || *v < 0) {
			return fmt.Errorf("a limit must be a number from 0, not %v", *v)
		}
	}
	return nil
}

// names returns the sorted keys of a map, separated by commas.
func names[V any](table map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(table)), ", ")
}
