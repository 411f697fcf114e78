package expr

// resolveTargets resolves the names in paths, and returns an error for two paths that overlap (one leads into the
// other) or conflict (one addresses a list where the other addresses a map). Like the service, it checks from the last
// path to the first. With three or more paths, the service may name as the second path another one, in hash-table
// order; this names the one that overlaps.
func (r resolver) resolveTargets(paths []Path) error {
	for i := len(paths) - 1; i >= 0; i-- {
		if err := r.resolveName(paths[i]); err != nil {
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
	relation := ""
	switch n := commonSteps(p, q); {
	case n == len(p) || n == len(q):
		relation = "overlap"
	case p[n].container() != q[n].container():
		relation = "conflict"
	default:
		return nil
	}
	return param.invalidf("Two document paths %s with each other; must remove or rewrite one of these paths; "+
		"path one: %s, path two: %s", relation, p, q)
}
