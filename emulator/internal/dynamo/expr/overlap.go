package expr

import "unicode/utf16"

// checkOverlap refuses two paths of which one leads into the other, or of which one takes for a list what
// the other takes for a map. The service goes through the paths from the last to the first.
func checkOverlap(param Parameter, paths []Path) error {
	for i := len(paths) - 2; i >= 0; i-- {
		if err := checkAgainst(param, paths[i], paths[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

func checkAgainst(param Parameter, p Path, later []Path) error {
	level, what := maxSteps, ""
	for _, q := range later {
		n := commonSteps(p, q)
		overlaps := n == len(p) || n == len(q)
		switch {
		case overlaps && n-1 < level:
			level, what = n-1, "overlap"
		case !overlaps && n < level && p[n].container() != q[n].container():
			level, what = n, "conflict"
		}
	}
	if what == "" {
		return nil
	}
	return param.invalidf("Two document paths %s with each other; must remove or rewrite one of these paths; "+
		"path one: %s, path two: %s", what, p, blamed(p, later, level))
}

// blamed is the path that the service names as the second one: not the one in the way, but whichever its
// hash table has last among those that share p's way to the level. DynamoDB Local 3.3.1 does so in every
// case tried, and it fits what dynalite recorded of the service ("a, b, a" blames b).
func blamed(p Path, later []Path, level int) (last Path) {
	bucket := -1
	for i := len(later) - 1; i >= 0; i-- {
		q := later[i]
		if len(q) <= level || commonSteps(p[:level], q) < level {
			continue
		}
		if b := q[level].bucket(); b > bucket {
			bucket, last = b, q
		}
	}
	return last
}

// bucket is where a Java HashMap of the initial size keeps the step.
func (s Step) bucket() int {
	hash := uint32(s.Index)
	for _, unit := range utf16.Encode([]rune(s.Name)) {
		hash = hash*31 + uint32(unit)
	}
	return int((hash ^ hash>>16) & 15)
}
