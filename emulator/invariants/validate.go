package invariants

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-db/tabletop/internal/model/condition"
)

// check returns what is wrong with an invariant, and the remedy.
func (v *Invariant) check() error {
	if v.Name == "" {
		return fmt.Errorf("an invariant needs a name: write what must hold, as in name: the stock is never negative")
	}
	if err := v.checkSource(); err != nil {
		return fmt.Errorf("%q: %w", v.Name, err)
	}
	if err := v.checkContent(); err != nil {
		return fmt.Errorf("%q: %w", v.Name, err)
	}
	return nil
}

// checkSource returns what is wrong with the table or container.
func (v *Invariant) checkSource() error {
	says := 0
	for _, given := range []bool{v.Each != "", v.Sum != nil, len(v.Unique) > 0, v.Has != nil, len(v.Composed) > 0,
		v.Finds != ""} {
		if given {
			says++
		}
	}
	switch c := v.Cosmos; {
	case says != 1:
		return fmt.Errorf("use exactly one of each, sum, unique, has, composed and finds")
	case v.Finds != "" && v.Table != "":
		return fmt.Errorf("finds names its table itself: remove table")
	case v.Finds != "" && v.Only != "":
		return fmt.Errorf("finds has its condition itself: remove only")
	case v.Each != "" && c != nil:
		return fmt.Errorf("each is of a table: with cosmos, write finds: SELECT * FROM c WHERE NOT (…)")
	case v.Finds == "" && (v.Table == "") == (c == nil):
		return fmt.Errorf("name the table, as in table: orders, or cosmos: {database: shop, container: orders}")
	case c != nil && (c.Database == "" || c.Container == ""):
		return fmt.Errorf("name both, as in cosmos: {database: shop, container: orders}")
	}
	return nil
}

// checkContent returns what is wrong with what must hold.
func (v *Invariant) checkContent() error {
	conditions := map[string]string{"each": v.Each}
	if v.Cosmos == nil {
		conditions["only"] = v.Only
	}
	patterns := slices.Collect(maps.Values(v.Composed))
	if h := v.Has; h != nil {
		if h.In == "" || len(h.Where) == 0 || !h.hasRange() {
			return fmt.Errorf(
				"write has as {in: payments, where: {order: id}, count: 1}, or with at_least, at_most or count_in in place of count")
		}
		if v.Cosmos == nil {
			conditions["only of has"] = h.Only
		}
		for _, mine := range h.Where {
			patterns = append(patterns, asPattern(mine))
		}
	}
	if v.Sum != nil && (v.Sum.Of == "" || v.Sum.Equals.value == nil) {
		return fmt.Errorf("write sum as {of: balance, equals: 100}")
	}
	for field, text := range conditions {
		if _, err := new(condition.Expressions).Condition(text); err != nil {
			return fmt.Errorf("%s: %w", field, err)
		}
	}
	for _, text := range patterns {
		if _, err := parsePattern(text); err != nil {
			return err
		}
	}
	return nil
}

// hasRange reports whether the numbers of Has are usable.
func (h *Has) hasRange() bool {
	bounded := h.AtLeast != nil || h.AtMost != nil
	if h.CountIn != "" {
		return h.Count == nil && !bounded
	}
	if h.Count != nil {
		return *h.Count >= 0 && !bounded
	}
	least, most := h.bounds(nil)
	return bounded && least >= 0 && most >= least
}
