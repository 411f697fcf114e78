package iam

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// operand is a compiled value of a condition in a policy.
type operand interface {
	matches(value string, r *Request) bool
}

// operator is a condition operator as documented.
type operator struct {
	compile func(text string) (operand, error)
	negated bool // whether it holds if no operand matches
}

// operators returns the documented operators by name, except Null, which compares nothing. Variables are allowed if the
// policy's version has them.
func operators(variables bool) map[string]operator {
	all := map[string]operator{
		"Bool":         {compile: compileBool},
		"BinaryEquals": {compile: compileBinary},
	}
	both := func(name, opposite string, compile func(string) (operand, error)) {
		all[name] = operator{compile: compile}
		all[opposite] = operator{compile: compile, negated: true}
	}
	both("StringEquals", "StringNotEquals", compileText(patternSyntax{variables: variables}))
	both("StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase",
		compileText(patternSyntax{variables: variables, fold: true}))
	both("StringLike", "StringNotLike", compileText(patternSyntax{variables: variables, wildcards: true}))
	both("ArnEquals", "ArnNotEquals", compileARN(variables))
	both("ArnLike", "ArnNotLike", compileARN(variables))
	both("IpAddress", "NotIpAddress", compilePrefix)
	for name, holds := range comparisons() {
		all["Numeric"+name] = operator{compile: compileNumber(holds)}
		all["Date"+name] = operator{compile: compileDate(holds)}
	}
	equal := func(order int) bool { return order == 0 }
	all["NumericNotEquals"] = operator{compile: compileNumber(equal), negated: true}
	all["DateNotEquals"] = operator{compile: compileDate(equal), negated: true}
	return all
}

// comparisons returns the conditions on the order of the request's value to the policy's.
func comparisons() map[string]func(order int) bool {
	return map[string]func(int) bool{
		"Equals":            func(order int) bool { return order == 0 },
		"LessThan":          func(order int) bool { return order < 0 },
		"LessThanEquals":    func(order int) bool { return order <= 0 },
		"GreaterThan":       func(order int) bool { return order > 0 },
		"GreaterThanEquals": func(order int) bool { return order >= 0 },
	}
}

func compileText(r patternSyntax) func(string) (operand, error) {
	return func(text string) (operand, error) {
		p, err := r.compile(text)
		return &p, err
	}
}

func compileARN(variables bool) func(string) (operand, error) {
	return func(text string) (operand, error) {
		if !strings.HasPrefix(text, "arn:") && text != "*" && !(variables && strings.HasPrefix(text, "${")) {
			return nil, fmt.Errorf(
				"%q is not an ARN: write arn:partition:service:region:account:resource, with * where any will do", text)
		}
		if variables && strings.HasPrefix(text, "${") { // the variable is the whole ARN
			p, err := patternSyntax{wildcards: true, variables: true}.compile(text)
			return &p, err
		}
		a, err := patternSyntax{wildcards: true, variables: variables}.compileARN(text)
		return &a, err
	}
}

type boolOperand bool

func (b boolOperand) matches(value string, _ *Request) bool {
	v, ok := readBool(value)
	return ok && v == bool(b)
}

func readBool(text string) (value, ok bool) {
	switch {
	case strings.EqualFold(text, "true"):
		return true, true
	case strings.EqualFold(text, "false"):
		return false, true
	}
	return false, false
}

func compileBool(text string) (operand, error) {
	v, ok := readBool(text)
	if !ok {
		return nil, fmt.Errorf("%q is not a boolean: write true or false", text)
	}
	return boolOperand(v), nil
}

type binaryOperand []byte

func (b binaryOperand) matches(value string, _ *Request) bool {
	v, err := base64.StdEncoding.DecodeString(value)
	return err == nil && bytes.Equal(v, b)
}

func compileBinary(text string) (operand, error) {
	v, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not base64", text)
	}
	return binaryOperand(v), nil
}

type prefixOperand struct{ netip.Prefix }

func (p prefixOperand) matches(value string, _ *Request) bool {
	addr, err := netip.ParseAddr(value)
	return err == nil && p.Contains(addr.Unmap())
}

func compilePrefix(text string) (operand, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap()
		return prefixOperand{netip.PrefixFrom(addr, addr.BitLen())}, nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address or a range of them: write 203.0.113.0/24 or 2001:db8::/32", text)
	}
	return prefixOperand{p.Masked()}, nil
}

type numberOperand struct {
	value float64
	holds func(order int) bool
}

func (n numberOperand) matches(value string, _ *Request) bool {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || v != v {
		return false
	}
	switch {
	case v < n.value:
		return n.holds(-1)
	case v > n.value:
		return n.holds(1)
	}
	return n.holds(0)
}

func compileNumber(holds func(int) bool) func(string) (operand, error) {
	return func(text string) (operand, error) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v != v {
			return nil, fmt.Errorf("%q is not a number", text)
		}
		return numberOperand{v, holds}, nil
	}
}

type dateOperand struct {
	value time.Time
	holds func(order int) bool
}

func (d dateOperand) matches(value string, _ *Request) bool {
	v, err := readDate(value)
	return err == nil && d.holds(v.Compare(d.value))
}

var errDate = errors.New("not a date")

// readDate parses W3C's profile of ISO 8601, or seconds since 1970.
func readDate(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"} {
		if layout == "2006" && len(text) != 4 {
			break
		}
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Unix(seconds, 0), nil
	}
	return time.Time{}, errDate
}

func compileDate(holds func(int) bool) func(string) (operand, error) {
	return func(text string) (operand, error) {
		v, err := readDate(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a date: write 2026-11-21T08:00:00Z", text)
		}
		return dateOperand{v, holds}, nil
	}
}

// operatorNames returns all operator names, in order, for suggestions.
func operatorNames(all map[string]operator) []string {
	names := []string{"Null"}
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
