package tablefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Write returns the file as YAML, which Parse can parse.
func (f *File) Write() ([]byte, error) {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(f); err != nil {
		return nil, err
	}
	return out.Bytes(), e.Close()
}

// UnmarshalYAML parses a name, or a list of names.
func (a *KeyAttributes) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		*a = KeyAttributes{n.Value}
		return nil
	}
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]string)(a))
	}
	return fmt.Errorf("line %d: key: write the name of an attribute, or a list such as [tenant, region]", n.Line)
}

// MarshalYAML implements yaml.Marshaler.
func (a KeyAttributes) MarshalYAML() (any, error) {
	if len(a) == 1 {
		return a[0], nil
	}
	return []string(a), nil
}

// UnmarshalYAML parses all, keys, or a list of attributes.
func (p *Projection) UnmarshalYAML(n *yaml.Node) error {
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "all":
		return nil
	case n.Kind == yaml.ScalarNode && n.Value == "keys":
		p.KeysOnly = true
		return nil
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		return n.Decode(&p.Include)
	}
	return fmt.Errorf("line %d: project: write all, keys, or a list of attributes such as [total, state]", n.Line)
}

// MarshalYAML implements yaml.Marshaler.
func (p Projection) MarshalYAML() (any, error) {
	if len(p.Include) > 0 {
		return p.Include, nil
	}
	return p.String(), nil
}

// IsZero reports whether the projection is the default, all.
func (p Projection) IsZero() bool { return !p.KeysOnly && len(p.Include) == 0 }

func (p Projection) String() string {
	switch {
	case len(p.Include) > 0:
		return strings.Join(p.Include, ", ")
	case p.KeysOnly:
		return "keys"
	}
	return "all"
}

// UnmarshalYAML parses a period that CloudWatch accepts for an alarm: 10, 20 or 30 seconds, or whole minutes up to a
// week.
func (p *Period) UnmarshalYAML(n *yaml.Node) error {
	d, err := time.ParseDuration(n.Value)
	short := d == 10*time.Second || d == 20*time.Second || d == 30*time.Second
	if err != nil || !short && (d < time.Minute || d%time.Minute != 0 || d > 7*24*time.Hour) {
		return fmt.Errorf("line %d: period %q: write 10s, 20s, 30s or whole minutes, such as 5m", n.Line, n.Value)
	}
	*p = Period(d)
	return nil
}

// MarshalYAML implements yaml.Marshaler.
func (p Period) MarshalYAML() (any, error) { return p.String(), nil }

func (p Period) String() string {
	text := time.Duration(p).String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}

var errAlarmCondition = errors.New(`write a comparison and a number, such as "> 10"`)

// UnmarshalYAML parses a comparison.
func (w *AlarmCondition) UnmarshalYAML(n *yaml.Node) error {
	for _, operator := range []string{">=", "<=", ">", "<"} {
		rest, ok := strings.CutPrefix(n.Value, operator)
		if !ok {
			continue
		}
		threshold, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
		if err != nil || math.IsNaN(threshold) || math.IsInf(threshold, 0) {
			break
		}
		*w = AlarmCondition{operator, threshold}
		return nil
	}
	return fmt.Errorf("line %d: when: %q: %w", n.Line, n.Value, errAlarmCondition)
}

// MarshalYAML implements yaml.Marshaler.
func (w AlarmCondition) MarshalYAML() (any, error) { return w.String(), nil }

func (w AlarmCondition) String() string {
	return w.Operator + " " + strconv.FormatFloat(w.Threshold, 'f', -1, 64)
}

// UnmarshalYAML parses a policy in YAML, or a text with its JSON.
func (p *Policy) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && json.Valid([]byte(n.Value)) {
		*p = Policy(n.Value).canonical()
		return nil
	}
	var value map[string]any
	if err := n.Decode(&value); err != nil {
		return fmt.Errorf("line %d: policy: write its Version and Statement here, in YAML or JSON", n.Line)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("line %d: policy: %s", n.Line, strings.TrimPrefix(err.Error(), "json: "))
	}
	*p = Policy(text)
	return nil
}

// MarshalYAML implements yaml.Marshaler.
func (p Policy) MarshalYAML() (any, error) {
	var value any
	err := json.Unmarshal([]byte(p), &value)
	return value, err
}

// canonical returns the policy with its members sorted and without spaces, so that two can be compared.
func (p Policy) canonical() Policy {
	var value any
	if json.Unmarshal([]byte(p), &value) != nil {
		return p
	}
	text, err := json.Marshal(value)
	if err != nil {
		return p
	}
	return Policy(text)
}
