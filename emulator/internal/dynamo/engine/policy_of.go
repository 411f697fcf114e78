package engine

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// PolicyOf returns the policy that PutResourcePolicy or CreateTable put on the table or stream of an ARN, in whatever
// account and region. It returns nil if there is none.
func (s *Engine) PolicyOf(arn string) *iam.Policy {
	table, _ := cutTableARN(arn)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			if t.Def.ARN == table {
				return t.PolicyOf(arn)
			}
		}
	}
	return nil
}

// TableOf returns the table that the ARN of a table, an index or a stream names, nil if there is none. It is one of the
// account's owner in the ARN's region; if that region has none, one of the account, as the region may not exist.
func (a *Account) TableOf(arn string) *Table {
	table, below := cutTableARN(arn)
	parts := strings.SplitN(table, ":", 6) // arn, partition, service, region, account, table/NAME
	if kind, _, _ := strings.Cut(below, "/"); len(parts) < 6 || kind != "" && kind != "index" && kind != "stream" {
		return nil
	}
	name := strings.TrimPrefix(parts[5], "table/")
	if parts[3] != a.Region() {
		sibling := a.Engine.AccountNamed(a.Engine.Spaces.Sibling(a.Name, parts[3]))
		if t := (*sibling.Tables.Load())[name]; t != nil {
			return t
		}
	}
	return (*a.Tables.Load())[name]
}

// PolicyOf returns the policy of the table, or of its stream if the ARN is that of a stream; nil if there is none. An
// index has the policy of its table.
func (t *Table) PolicyOf(arn string) *iam.Policy {
	switch label, isStream := streamLabel(arn); {
	case !isStream:
		return t.Policy
	case label == t.Def.StreamLabel():
		return t.StreamPolicy
	}
	return nil
}

// TagsOf returns the tags of the table, or of its enabled stream if the ARN is that of a stream.
func (t *Table) TagsOf(arn string) []Tag {
	switch label, isStream := streamLabel(arn); {
	case !isStream:
		return t.Def.Tags
	case t.Def.Stream != nil && label == t.Def.Stream.Label:
		return t.Def.Stream.Tags
	}
	return nil
}

// streamLabel returns the label in the ARN of a stream.
func streamLabel(arn string) (label string, isStream bool) {
	_, label, isStream = strings.Cut(arn, "/stream/")
	return label, isStream
}

// cutTableARN separates the ARN of a table from what follows its name: a stream or an index.
func cutTableARN(arn string) (table, below string) {
	prefix, rest, _ := strings.Cut(arn, ":table/")
	name, below, _ := strings.Cut(rest, "/")
	return prefix + ":table/" + name, below
}
