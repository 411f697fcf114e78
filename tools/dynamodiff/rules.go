package main

import (
	_ "embed"
	"fmt"
	"regexp"

	"gopkg.in/yaml.v3"
)

//go:embed known.yaml
var knownRules []byte

// rule is a kind of known differences, with its reason and its source.
type rule struct {
	Operation, Ours, Peer string // patterns; empty: any
	Request               string // of the last request's body; empty: any
	Because, Source       string

	operation, ours, peer, request *regexp.Regexp
}

type rules []*rule

func readRules() (rules, error) {
	var all rules
	if err := yaml.Unmarshal(knownRules, &all); err != nil {
		return nil, fmt.Errorf("known.yaml: %w", err)
	}
	for i, r := range all {
		if r.Because == "" || r.Source == "" {
			return nil, fmt.Errorf("known.yaml: rule %d has no reason or no source", i+1)
		}
		for _, p := range []struct {
			compiled **regexp.Regexp
			pattern  string
		}{{&r.operation, r.Operation}, {&r.ours, r.Ours}, {&r.peer, r.Peer}, {&r.request, r.Request}} {
			var err error
			if *p.compiled, err = regexp.Compile(p.pattern); err != nil {
				return nil, fmt.Errorf("known.yaml: rule %d: %w", i+1, err)
			}
		}
	}
	return all, nil
}

// find returns the first rule that covers a difference, or nil.
func (all rules) find(d *difference) *rule {
	last := d.history[len(d.history)-1]
	for _, r := range all {
		if r.operation.MatchString(last.operation) && r.ours.MatchString(d.ours.String()) &&
			r.peer.MatchString(d.peer.String()) && r.request.MatchString(fmt.Sprint(last.body)) {
			return r
		}
	}
	return nil
}
