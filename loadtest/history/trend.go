package history

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// Trend is the history of one profile over commits, in the setting of its last run.
type Trend struct {
	Profile string   `json:"profile"`
	Setting Setting  `json:"setting"`
	Commits []Commit `json:"commits"` // in order of their first runs

	otherSettings []Entry // runs with other settings
}

// Commit is the runs of one commit.
type Commit struct {
	ID   string  `json:"commit"`
	Runs []Entry `json:"runs"`
}

// Trends returns the trends of the named profiles, or of all, in the order in which they first occur in entries.
// Errors: a profile that has no run.
func Trends(entries []Entry, profiles ...string) ([]Trend, error) {
	var list []Trend
	for _, e := range entries {
		if !slices.ContainsFunc(list, func(t Trend) bool { return t.Profile == e.Profile }) {
			list = append(list, trend(entries, e.Profile))
		}
	}
	if len(profiles) == 0 {
		return list, nil
	}
	var named []Trend
	for _, id := range profiles {
		i := slices.IndexFunc(list, func(t Trend) bool { return strings.EqualFold(t.Profile, id) })
		if i < 0 {
			return nil, fmt.Errorf("no runs of %q in the history; use one of %s", id, names(list))
		}
		named = append(named, list[i])
	}
	return named, nil
}

func names(list []Trend) string {
	var ids []string
	for _, t := range list {
		ids = append(ids, t.Profile)
	}
	return strings.Join(ids, ", ")
}

func trend(entries []Entry, id string) Trend {
	t := Trend{Profile: id}
	for _, e := range slices.Backward(entries) {
		if e.Profile == id {
			t.Setting = e.Setting
			break
		}
	}
	for _, e := range entries {
		switch {
		case e.Profile != id:
		case e.Setting != t.Setting:
			t.otherSettings = append(t.otherSettings, e)
		default:
			t.add(e)
		}
	}
	return t
}

func (t *Trend) add(e Entry) {
	i := slices.IndexFunc(t.Commits, func(c Commit) bool { return c.ID == e.Commit })
	if i < 0 {
		i, t.Commits = len(t.Commits), append(t.Commits, Commit{ID: e.Commit})
	}
	t.Commits[i].Runs = append(t.Commits[i].Runs, e)
}

// NotCompared returns the runs that are not compared and why, one line per reason.
func (t Trend) NotCompared() (lines []string) {
	var whys []string
	count := map[string]int{}
	for _, e := range t.otherSettings {
		why := e.differs(t.Setting)
		if count[why]++; count[why] == 1 {
			whys = append(whys, why)
		}
	}
	for _, why := range whys {
		lines = append(lines, fmt.Sprintf("not compared: %s with another setting: %s", runs(count[why]), why))
	}
	return lines
}

// differs describes how a setting differs from another.
func (s Setting) differs(from Setting) string {
	var list []string
	if s.Target != from.Target {
		list = append(list, fmt.Sprintf("target %s, not %s", s.Target, from.Target))
	}
	if s.Duration != from.Duration {
		list = append(list, fmt.Sprintf("duration %v, not %v", time.Duration(s.Duration), time.Duration(from.Duration)))
	}
	if s.Scale != from.Scale {
		list = append(list, fmt.Sprintf("rate scale %g, not %g", s.Scale, from.Scale))
	}
	if s.Machine != from.Machine {
		list = append(list, fmt.Sprintf("machine %s", s.Machine))
	}
	return strings.Join(list, "; ")
}

func runs(n int) string {
	if n == 1 {
		return "1 run"
	}
	return thousands.Sprintf("%d runs", n)
}

// find returns the commit before the last one that has this id, or else the latest one whose id begins with it: that of
// a changed working tree begins with the id of its commit.
func (t Trend) find(id string) (found Commit, ok bool) {
	for _, c := range slices.Backward(t.Commits[:len(t.Commits)-1]) {
		if c.ID == id {
			return c, true
		}
		if !ok && strings.HasPrefix(c.ID, id) {
			found, ok = c, true
		}
	}
	return found, ok
}
