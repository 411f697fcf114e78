package explore

import "slices"

// Row is a line of the result's matrix: a target, and what is known of each kind of mishap at it.
type Row struct {
	Target
	Verdicts map[Kind]Verdict `json:"verdicts"` // without the kinds that cannot happen or were not tried
}

// Matrix returns what is known of each target, in the order in which they were tried.
func (r *Result) Matrix() []Row {
	var rows []Row
	for _, c := range r.order {
		i := slices.IndexFunc(rows, func(row Row) bool { return row.Target == c.Target })
		if i < 0 {
			i = len(rows)
			rows = append(rows, Row{c.Target, map[Kind]Verdict{}})
		}
		rows[i].Verdicts[c.kind] = r.cells[c]
	}
	return rows
}
