package advice

import "time"

// minuteLoads is the capacity units that tables and indexes consume in each minute since the start of a recording.
type minuteLoads struct {
	start time.Time
	of    map[place]map[int]load // by minute; those without a load are left out
}

// load is capacity units.
type load struct{ read, write float64 }

func newMinuteLoads(v *Review) minuteLoads { return minuteLoads{v.start, map[place]map[int]load{}} }

func (m *minuteLoads) see(r *Request) {
	minute := int(r.Time.Sub(m.start) / time.Minute)
	for _, c := range r.Consumed {
		of := place{c.Table, c.Index}
		if m.of[of] == nil {
			m.of[of] = map[int]load{}
		}
		l := load{read: c.Units}
		if c.Write {
			l = load{write: c.Units}
		}
		m.of[of][minute] = m.of[of][minute].plus(l)
	}
}

func (l load) plus(other load) load { return load{l.read + other.read, l.write + other.write} }

// billed returns the loads of a table and its global indexes, by the name of the index: local indexes use the capacity
// of the table, whose name here is empty.
func (m *minuteLoads) billed(t *Table) map[string]map[int]load {
	all := map[string]map[int]load{}
	for of, minutes := range m.of {
		index := of.index
		if x := t.Indexes[index]; x != nil && x.Local {
			index = ""
		}
		if of.table != t.Name {
			continue
		}
		if all[index] == nil {
			all[index] = map[int]load{}
		}
		for minute, l := range minutes {
			all[index][minute] = all[index][minute].plus(l)
		}
	}
	return all
}
