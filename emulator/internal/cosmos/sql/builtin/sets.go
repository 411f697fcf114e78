package builtin

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The set functions keep the first of equal elements, in order.
var setFunctions = []Function{
	{"SETDIFFERENCE", 2, 2, sets(func(a, b *set) doc.Value { return a.filter(func(k string) bool { return !b.has(k) }) })},
	{"SETEQUAL", 2, 2, sets(func(a, b *set) doc.Value { return doc.Bool(len(a.keys) == len(b.keys) && a.within(b)) })},
	{"SETINTERSECT", 2, 2, sets(intersect)},
	{"SETUNION", 2, 2, sets(union)},
}

// setSteps is the number of steps of adding an element to a set.
const setSteps = 16

// setBytes is the approximate memory of a set per part of its elements.
const setBytes = 2 * valueBytes

// set contains the distinct elements of an array, by their keys.
type set struct {
	keys   []string
	values []doc.Value
	at     map[string]bool
}

func (s *set) has(key string) bool { return s.at[key] }

func (s *set) add(v doc.Value) {
	if k := Key(v); v.Defined() && !s.at[k] {
		s.at[k] = true
		s.keys, s.values = append(s.keys, k), append(s.values, v)
	}
}

func newSet(array doc.Value) *set {
	s := &set{at: make(map[string]bool, array.Len())}
	for _, v := range array.Elements() {
		s.add(v)
	}
	return s
}

func (s *set) filter(keep func(key string) bool) doc.Value {
	kept := []doc.Value{}
	for i, k := range s.keys {
		if keep(k) {
			kept = append(kept, s.values[i])
		}
	}
	return doc.Array(kept...)
}

func (s *set) within(other *set) bool {
	for _, k := range s.keys {
		if !other.has(k) {
			return false
		}
	}
	return true
}

func sets(f func(a, b *set) doc.Value) call {
	return func(env *Env, args []doc.Value) doc.Value {
		// A set holds a text and a value for each element.
		if !all(doc.List, args...) || !env.weigh(args) || !env.step(setSteps*(args[0].Len()+args[1].Len())) ||
			!env.grow((Weight(args[0])+Weight(args[1]))*setBytes) {
			return undefined
		}
		return f(newSet(args[0]), newSet(args[1]))
	}
}

// intersect keeps the order of the second set: SETINTERSECT([1, 2, "A", "B"], ["A", 1]) is ["A", 1] on its page.
func intersect(a, b *set) doc.Value { return b.filter(a.has) }

func union(a, b *set) doc.Value {
	for _, v := range b.values {
		a.add(v)
	}
	return doc.Array(a.values...)
}

// Key returns a text that two defined values share if and only if they are equal.
func Key(v doc.Value) string { return keyOf(v, scalarKey) }

// DigitKey is the Key of earlier versions, in which integers with different digits differ, even if they are the same
// double. It is another text than Key only for a value with such integers (HasLongIntegers).
func DigitKey(v doc.Value) string { return keyOf(v, doc.Value.JSON) }

func keyOf(v doc.Value, scalarKey func(doc.Value) string) string {
	if !containsObject(v) {
		return scalarKey(v)
	}
	var b strings.Builder
	writeKey(&b, v, scalarKey)
	return b.String()
}

// containsObject reports whether equal values may differ in the order of members.
func containsObject(v doc.Value) bool {
	return v.Kind() == doc.Map || v.Kind() == doc.List
}

// scalarKey is the Key of a value without parts. Two integers that are the same double are equal, but may have
// different digits.
func scalarKey(v doc.Value) string {
	if v.Kind() == doc.Numeric {
		v = doc.Number(v.Float())
	}
	return v.JSON()
}

func writeKey(b *strings.Builder, v doc.Value, scalarKey func(doc.Value) string) {
	switch v.Kind() {
	case doc.List:
		b.WriteByte('[')
		for _, e := range v.Elements() {
			writeKey(b, e, scalarKey)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case doc.Map:
		b.WriteByte('{')
		for _, m := range sortedMembers(v) {
			b.Write(doc.AppendString(nil, m.Name))
			b.WriteByte(':')
			writeKey(b, m.Value, scalarKey)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	default:
		b.WriteString(scalarKey(v))
	}
}
