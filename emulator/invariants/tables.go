package invariants

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// item is an item of a table.
type item = map[string]types.AttributeValue

// checkEach finds the items that do not meet the condition.
func (v *Invariant) checkEach(ctx context.Context, d Databases, b *Break) error {
	from := v.source()
	from.not = v.Each
	return d.read(ctx, from, func(each item) { b.add("%s", show(each)) })
}

// checkComposed finds the items in which an attribute is not as its pattern says.
func (v *Invariant) checkComposed(ctx context.Context, d Databases, b *Break) error {
	names := slices.Sorted(maps.Keys(v.Composed))
	patterns := make([]pattern, len(names))
	for i, name := range names {
		var err error
		if patterns[i], err = parsePattern(v.Composed[name]); err != nil {
			return err
		}
	}
	return d.read(ctx, v.source(), func(each item) {
		for i, name := range names {
			want, ok := patterns[i].of(each)
			if has, _ := plainText(each[name]); !ok {
				b.add("%s lacks an attribute of %s", show(each), v.Composed[name])
			} else if has != want {
				b.add("%s in %s, want %q", name, show(each), want)
			}
		}
	})
}

// checkSum compares the sum of an attribute.
func (v *Invariant) checkSum(ctx context.Context, d Databases, b *Break) error {
	sum := new(big.Rat)
	err := d.read(ctx, v.source(), func(each item) {
		if n, ok := each[v.Sum.Of].(*types.AttributeValueMemberN); ok {
			if r := parseNumber(n.Value); r != nil {
				sum.Add(sum, r)
			}
		}
	})
	if want := v.Sum.Equals.value; err == nil && sum.Cmp(want) != 0 {
		b.add("the sum of %s is %s, want %s", v.Sum.Of, decimal(sum), decimal(want))
	}
	return err
}

// checkUnique finds items that share all of the attributes.
func (v *Invariant) checkUnique(ctx context.Context, d Databases, b *Break) error {
	count := map[string]int{}
	err := d.read(ctx, v.source(), func(each item) {
		if key, ok := keyOf(each, v.Unique); ok {
			count[key]++
		}
	})
	for _, key := range slices.Sorted(maps.Keys(count)) {
		if count[key] > 1 {
			b.add("%d items have %s %s", count[key], strings.Join(v.Unique, ", "), key)
		}
	}
	return err
}

// checkHas finds items to which another number of items belongs.
func (v *Invariant) checkHas(ctx context.Context, d Databases, b *Break) error {
	theirs := slices.Sorted(maps.Keys(v.Has.Where))
	mine := make([]pattern, len(theirs))
	for i, name := range theirs {
		var err error
		if mine[i], err = parsePattern(asPattern(v.Has.Where[name])); err != nil {
			return err
		}
	}
	count := map[string]int{}
	if err := d.read(ctx, v.counted(), func(each item) {
		if key, ok := keyOf(each, theirs); ok {
			count[key]++
		}
	}); err != nil {
		return err
	}
	return d.read(ctx, v.source(), func(each item) {
		key, ok := keyBy(each, mine)
		least, most := v.Has.bounds(each)
		n := 0
		if ok {
			n = count[key]
		}
		if n < least || n > most {
			b.add("%s has %d in %s, want %s", show(each), n, v.Has.In, rangeText(least, most))
		}
	})
}

// bounds returns the smallest and the largest number of items that belong to an item. One without the attribute of
// CountIn has none.
func (h *Has) bounds(each item) (least, most int) {
	if h.CountIn != "" {
		text, _ := plainText(each[h.CountIn])
		n, _ := strconv.Atoi(text)
		return n, n
	}
	if h.Count != nil {
		return *h.Count, *h.Count
	}
	most = math.MaxInt
	if h.AtLeast != nil {
		least = *h.AtLeast
	}
	if h.AtMost != nil {
		most = *h.AtMost
	}
	return least, most
}

// rangeText returns a range of numbers for people.
func rangeText(least, most int) string {
	switch {
	case least == most:
		return fmt.Sprint(least)
	case most == math.MaxInt:
		return fmt.Sprintf("at least %d", least)
	case least == 0:
		return fmt.Sprintf("at most %d", most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// keyBy returns what patterns are for an item as one text, as keyOf does; ok is false if the item lacks an attribute.
func keyBy(each item, patterns []pattern) (key string, ok bool) {
	texts := make([]string, len(patterns))
	for i, p := range patterns {
		if texts[i], ok = p.key(each); !ok {
			return "", false
		}
	}
	return strings.Join(texts, ", "), true
}

// keyOf returns the values of attributes as one text; ok is false if the item lacks one.
func keyOf(each item, names []string) (key string, ok bool) {
	values := make([]string, len(names))
	for i, name := range names {
		v, has := each[name]
		if !has {
			return "", false
		}
		values[i] = keyText(v)
	}
	return strings.Join(values, ", "), true
}

// maxShown is the number of characters of an item that are shown.
const maxShown = 200

// show returns an item as one line, with its attributes in alphabetical order.
func show(each item) string {
	parts := make([]string, 0, len(each))
	for _, name := range slices.Sorted(maps.Keys(each)) {
		parts = append(parts, fmt.Sprintf("%s: %s", name, textOf(each[name])))
	}
	return shorten("{" + strings.Join(parts, ", ") + "}")
}

// shorten returns a text of at most maxShown characters.
func shorten(text string) string {
	if r := []rune(text); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return text
}
