package engine

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// PolicyOf returns the policy that PutResourcePolicy or CreateTable put on the table or stream of an ARN, in whatever
// account and region; an index has that of its table. It returns nil if there is none.
func (s *Engine) PolicyOf(arn string) *iam.Policy {
	table, below := cutTableARN(arn)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			if t.Def.ARN != table {
				continue
			}
			if strings.HasPrefix(below, "stream/") {
				return t.StreamPolicy
			}
			return t.Policy
		}
	}
	return nil
}

// cutTableARN separates the ARN of a table from what follows its name: a stream or an index.
func cutTableARN(arn string) (table, below string) {
	prefix, rest, _ := strings.Cut(arn, ":table/")
	name, below, _ := strings.Cut(rest, "/")
	return prefix + ":table/" + name, below
}
