package runner

import (
	"slices"
	"strings"
)

// IDs returns the tags that are catalogue ids, without their @: all but the needs of a scenario. The tag of a clause,
// such as @KF-R5.once, also gives the id of its entry.
func IDs(tags []string) []string {
	var ids []string
	for _, tag := range tags {
		if strings.HasPrefix(tag, NeedsTag) {
			continue
		}
		id := strings.TrimPrefix(tag, "@")
		if entry, _, isClause := strings.Cut(id, "."); isClause && !slices.Contains(ids, entry) {
			ids = append(ids, entry)
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// withClauses extends an expression of tags so that the tag of an entry also matches those of its clauses: a scenario
// with @KF-R5.once matches @KF-R5. In an expression, commas separate alternatives, && joins groups of them, and ~
// negates. A negation in a group with several alternatives refers only to the entry's own tag.
func withClauses(expression string, sources map[string]Source) string {
	if expression == "" {
		return ""
	}
	clauses := clausesOf(sources)
	var groups []string
	for group := range strings.SplitSeq(expression, "&&") {
		var alike []string
		alternatives := strings.Split(group, ",")
		for _, one := range alternatives {
			one = strings.TrimSpace(one)
			alike = append(alike, one)
			if entry, not := strings.CutPrefix(one, "~"); !not {
				alike = append(alike, clauses[one]...)
			} else if len(alternatives) == 1 {
				for _, clause := range clauses[entry] {
					groups = append(groups, "~"+clause)
				}
			}
		}
		groups = append(groups, strings.Join(alike, ","))
	}
	return strings.Join(groups, " && ")
}

// clausesOf returns the tags of clauses, by the tags of their entries.
func clausesOf(sources map[string]Source) map[string][]string {
	all := map[string][]string{}
	for _, source := range sources {
		for _, spec := range source.Scenarios {
			for _, tag := range spec.Tags {
				if entry, _, isClause := strings.Cut(tag, "."); isClause && !slices.Contains(all[entry], tag) {
					all[entry] = append(all[entry], tag)
				}
			}
		}
	}
	for _, clauses := range all {
		slices.Sort(clauses)
	}
	return all
}
