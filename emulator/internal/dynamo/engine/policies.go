package engine

import "github.com/tabletop-db/tabletop/internal/model/iam"

// parsePolicies parses the resource policies of a definition. They were checked by PutResourcePolicy.
func (t *Table) parsePolicies() {
	for _, p := range []struct {
		from *ResourcePolicy
		to   **iam.Policy
	}{{t.Def.Policy, &t.Policy}, {t.Def.StreamPolicy, &t.StreamPolicy}} {
		if p.from == nil {
			continue
		}
		if policy, err := iam.Parse(iam.Resource, "the policy of "+t.Def.Name, []byte(p.from.Text)); err == nil {
			*p.to = policy
		}
	}
}
