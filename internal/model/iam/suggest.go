package iam

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// SuggestOptions determine how closely a suggested policy fits the requests.
type SuggestOptions struct {
	// LeadingKeys restricts actions to the partition keys that the requests named, if each of them named some.
	LeadingKeys bool
}

// suggestion is a statement in the making.
type suggestion struct {
	actions, resources []string
	keys               []string // partition keys; nil: not restricted
}

// Suggest writes the least policy that allows requests: their actions on their resources and no others, as JSON that is
// laid out for people. Actions on the same resources share a statement, and so do resources of the same actions. Who
// asked does not matter.
func Suggest(requests []Request, o SuggestOptions) ([]byte, error) {
	resources := map[string][]Request{}
	for _, r := range requests {
		resources[r.Resource] = append(resources[r.Resource], r)
	}
	var all []suggestion
	for resource, requests := range resources {
		all = append(all, suggestionsFor(resource, requests, o)...)
	}
	return marshalPolicy(mergeSuggestions(all))
}

// suggestionsFor returns the statements about one resource, by the partition keys that actions are restricted to.
func suggestionsFor(resource string, requests []Request, o SuggestOptions) []suggestion {
	actions := map[string][]Request{}
	for _, r := range requests {
		actions[r.Action] = append(actions[r.Action], r)
	}
	var all []suggestion
	for action, requests := range actions {
		s := suggestion{actions: []string{action}, resources: []string{resource}}
		if o.LeadingKeys {
			s.keys = leadingKeys(requests)
		}
		all = append(all, s)
	}
	return all
}

// leadingKeys returns the partition keys of requests, or nil if one of them names none.
func leadingKeys(requests []Request) []string {
	var keys []string
	for _, r := range requests {
		if r.Context == nil {
			return nil
		}
		values := r.Context.Values("dynamodb:leadingkeys")
		if len(values) == 0 {
			return nil
		}
		for _, value := range values {
			keys = append(keys, strings.ReplaceAll(value, "${", "${$}{")) // escapes what would be a variable
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// mergeSuggestions joins actions on the same resource, then resources of the same actions.
func mergeSuggestions(all []suggestion) []suggestion {
	all = joined(all, func(s suggestion) string { return strings.Join(s.resources, " ") })
	all = joined(all, func(s suggestion) string { return strings.Join(s.actions, " ") })
	slices.SortFunc(all, func(a, b suggestion) int {
		return cmp.Or(slices.Compare(a.resources, b.resources), slices.Compare(a.actions, b.actions))
	})
	return all
}

// joined merges suggestions that have the same key and the same restriction.
func joined(all []suggestion, key func(suggestion) string) []suggestion {
	groups := map[string]*suggestion{}
	for _, s := range all {
		id := key(s) + "\n" + strings.Join(s.keys, "\n")
		g, ok := groups[id]
		if !ok {
			g = &suggestion{keys: s.keys}
			groups[id] = g
		}
		g.actions = append(g.actions, s.actions...)
		g.resources = append(g.resources, s.resources...)
	}
	var out []suggestion
	for _, g := range groups {
		slices.Sort(g.actions)
		slices.Sort(g.resources)
		out = append(out, suggestion{slices.Compact(g.actions), slices.Compact(g.resources), g.keys})
	}
	return out
}

// The document, in the order in which people read it.
type (
	suggestedPolicy struct {
		Version   string
		Statement []suggestedStatement
	}
	suggestedStatement struct {
		Effect    string
		Action    []string
		Resource  []string
		Condition map[string]map[string][]string `json:",omitempty"`
	}
)

func marshalPolicy(all []suggestion) ([]byte, error) {
	p := suggestedPolicy{Version: Version2012, Statement: []suggestedStatement{}}
	for _, s := range all {
		statement := suggestedStatement{Effect: "Allow", Action: s.actions, Resource: s.resources}
		if s.keys != nil {
			statement.Condition = map[string]map[string][]string{"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": s.keys}}
		}
		p.Statement = append(p.Statement, statement)
	}
	text, err := json.MarshalIndent(p, "", "  ")
	return append(text, '\n'), err
}
