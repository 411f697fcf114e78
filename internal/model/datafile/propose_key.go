package datafile

import (
	"slices"
	"strings"
)

// maxCandidates is how many attributes ProposeKey compares, the first ones of the file.
const maxCandidates = 32

// ProposeKey proposes the key of a new table for a file whose first items are these. An attribute can be part of the
// key if every item has it, with one type and not empty. The proposal is the first of: attributes named pk and sk, one
// attribute whose values all differ (named id before others), two whose pairs all differ, one attribute. It is nil if
// no attribute can be a key. In CSV, where columns without a type are texts, texts that are all numbers are proposed as
// numbers.
func ProposeKey(format Format, items []Item) TableKey {
	all := keyCandidates(format, items)
	pk, sk := named(all, "pk"), named(all, "sk")
	switch {
	case len(all) == 0:
		return nil
	case pk >= 0 && sk >= 0:
		return TableKey{all[pk], all[sk]}
	}
	if id := named(all, "id"); id >= 0 {
		all = slices.Insert(slices.Delete(slices.Clone(all), id, id+1), 0, all[id])
	}
	for _, a := range all {
		if isUnique(items, a) {
			return TableKey{a}
		}
	}
	for i, partition := range all {
		for _, sort := range all[i+1:] {
			if isUnique(items, partition, sort) {
				return TableKey{partition, sort}
			}
		}
	}
	return TableKey{all[0]}
}

// keyCandidates returns the attributes that can be part of a key, in the order of the first item.
func keyCandidates(format Format, items []Item) (all TableKey) {
	if len(items) == 0 {
		return nil
	}
	for _, a := range items[0] {
		if of := commonType(format, items, a.Name); isKeyType(of) && len(all) < maxCandidates {
			all = append(all, AttributeDefinition{a.Name, of})
		}
	}
	return all
}

// commonType returns the type that an attribute has in all items, or "" if it has several, or an item has none or an
// empty value.
func commonType(format Format, items []Item, name string) (of Type) {
	numeric := format == CSV
	for i, item := range items {
		v, ok := item.Get(name)
		if !ok || v.Text == "" || i > 0 && v.Type != of {
			return ""
		}
		of = v.Type
		numeric = numeric && of == String && isPlainNumber(v.Text)
	}
	if numeric {
		return Number
	}
	return of
}

// isPlainNumber reports whether a text is a number and nothing else: not 007, +1, 1e3 or 1.50, which would lose
// characters as numbers, and not longer than the 38 digits of DynamoDB's numbers.
func isPlainNumber(text string) bool {
	whole, fraction, hasFraction := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	isDigits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return isDigits(whole) && (whole == "0" || whole[0] != '0') && text != "-0" && len(whole)+len(fraction) <= 38 &&
		(!hasFraction || isDigits(fraction) && !strings.HasSuffix(fraction, "0"))
}

// named returns the place of an attribute, whose name may be in capital letters, or -1.
func named(all TableKey, name string) int {
	return slices.IndexFunc(all, func(a AttributeDefinition) bool { return strings.EqualFold(a.AttributeName, name) })
}

// isUnique reports whether no two items have the same values of these attributes.
func isUnique(items []Item, key ...AttributeDefinition) bool {
	known := map[string]bool{}
	for _, item := range items {
		var text strings.Builder
		for _, a := range key {
			v, _ := item.Get(a.AttributeName)
			text.WriteString(v.Identity() + "\x00")
		}
		if known[text.String()] {
			return false
		}
		known[text.String()] = true
	}
	return true
}
