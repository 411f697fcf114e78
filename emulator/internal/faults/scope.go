package faults

import (
	"fmt"
	"slices"
	"strings"
)

// Scope lists the operations of a service, and for actions that cannot apply to all of them, those that they apply to.
type Scope struct {
	Operations []string
	Only       map[Action][]string // an action without operations applies to none
}

// checkScopes refuses a rule that names operations of the scopes to none of which its action can apply: it would
// silently do nothing. Names that no scope has are ignored.
func checkScopes(scopes []Scope, r *Rule) error {
	known := false
	var able []string
	for _, s := range scopes {
		some, bounded := s.Only[r.Do]
		if !bounded {
			some = s.Operations
		}
		if slices.ContainsFunc(some, r.names) {
			return nil
		}
		known = known || slices.ContainsFunc(s.Operations, r.names)
		able = append(able, some...)
	}
	if !known {
		return nil
	}
	slices.Sort(able)
	return fmt.Errorf("do: %s does not apply to the operations %s: use %s", r.Do, strings.Join(r.Operations, ", "),
		strings.Join(able, ", "))
}

// names reports whether the rule names an operation.
func (r *Rule) names(operation string) bool { return matchesAny(r.Operations, operation) }
