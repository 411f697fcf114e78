package cloudwatch

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// queryCodec is the query protocol: forms that are answered in XML.
type queryCodec struct {
	form url.Values
	err  error
}

func (c *queryCodec) operation(*http.Request) string { return c.form.Get("Action") }

func (c *queryCodec) decode(_ []byte, in any) error {
	if c.err != nil {
		return c.err
	}
	root := &formNode{}
	for key, values := range c.form {
		if key == "Action" || key == "Version" {
			continue
		}
		parts := strings.Split(key, ".")
		if len(parts) > maxFormDepth {
			return fmt.Errorf("%.100q is nested too deep", key)
		}
		root.add(parts, values[0])
	}
	return root.into(reflect.ValueOf(in).Elem(), "")
}

// maxFormDepth is the deepest nesting of a form.
const maxFormDepth = 24

// formNode is a form's keys as a tree: Dimensions.member.1.Name has four branches.
type formNode struct {
	value    string
	children map[string]*formNode
}

func (b *formNode) add(path []string, value string) {
	for _, part := range path {
		if b.children == nil {
			b.children = map[string]*formNode{}
		}
		next, ok := b.children[part]
		if !ok {
			next = &formNode{}
			b.children[part] = next
		}
		b = next
	}
	b.value = value
}

// into decodes a branch into v. where names the branch in errors.
func (b *formNode) into(v reflect.Value, where string) error {
	if t, ok := v.Addr().Interface().(*Time); ok {
		return b.time(t, where)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return b.into(v.Elem(), where)
	case reflect.Struct:
		return b.structure(v, where)
	case reflect.Slice:
		return b.list(v, where)
	}
	return b.scalar(v, where)
}

func (b *formNode) time(t *Time, where string) error {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04Z", "2006-01-02"} {
		if parsed, err := time.Parse(layout, b.value); err == nil {
			t.Time = parsed.UTC()
			return nil
		}
	}
	return fmt.Errorf("%s is not a time: %.100q", where, b.value)
}

func (b *formNode) structure(v reflect.Value, where string) error {
	for name, below := range b.children {
		field := v.FieldByName(name)
		if !field.IsValid() {
			continue // unknown members are ignored, as in the other protocols
		}
		if err := below.into(field, where+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// list decodes the members in the order of their numbers, which may have gaps.
func (b *formNode) list(v reflect.Value, where string) error {
	members, ok := b.children["member"]
	if !ok {
		members = b
	}
	type numbered struct {
		n     int
		below *formNode
	}
	var items []numbered
	for key, below := range members.children {
		n, err := strconv.Atoi(key)
		if err != nil {
			return fmt.Errorf("%s has a member %.100q", where, key)
		}
		items = append(items, numbered{n, below})
	}
	slices.SortFunc(items, func(a, b numbered) int { return a.n - b.n })
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		if err := item.below.into(v.Index(i), fmt.Sprintf("%s.member.%d", where, item.n)); err != nil {
			return err
		}
	}
	return nil
}

func (b *formNode) scalar(v reflect.Value, where string) error {
	var err error
	switch v.Kind() {
	case reflect.String:
		v.SetString(b.value)
	case reflect.Bool:
		var x bool
		x, err = strconv.ParseBool(b.value)
		v.SetBool(x)
	case reflect.Int64:
		var x int64
		x, err = strconv.ParseInt(b.value, 10, 64)
		v.SetInt(x)
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(b.value, 64)
		v.SetFloat(x)
	}
	if err != nil {
		return fmt.Errorf("%s is not of type %s: %.100q", strings.TrimPrefix(where, "."), v.Kind(), b.value)
	}
	return nil
}
