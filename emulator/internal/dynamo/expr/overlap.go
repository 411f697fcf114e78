package expr

// targets gives the names in paths their meaning, and refuses two paths of which one leads into the other,
// or of which one takes for a list what the other takes for a map. The service goes through the paths from
// the last to the first. Of three paths and more it may name as the second one another path than the one in
// the way, as a hash table has it; here it is the one in the way.
func (r resolver) targets(paths []Path) error {
	for i := len(paths) - 1; i >= 0; i-- {
		if err := r.name(paths[i]); err != nil {
			return err
		}
		for _, later := range paths[i+1:] {
			if err := checkOverlap(r.param, paths[i], later); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkOverlap(param Parameter, p, q Path) error {
	what := ""
	switch n := commonSteps(p, q); {
	case n == len(p) || n == len(q):
		what = "overlap"
	case p[n].container() != q[n].container():
		what = "conflict"
	default:
		return nil
	}
	return param.invalidf("Two document paths %s with each other; must remove or rewrite one of these paths; "+
		"path one: %s, path two: %s", what, p, q)
}
