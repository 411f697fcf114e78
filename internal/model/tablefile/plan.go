package tablefile

import (
	"context"
	"fmt"
	"strings"
)

// Plan is the difference between a file and a target.
type Plan struct {
	Steps     []Step
	Unchanged []string // resources that are already as in the file
	Refused   []string // what cannot be changed: why, and what to do
	Kept      []string // what only the target has; Options.Prune deletes it
	prune     bool
}

// Step is one change of a target.
type Step struct {
	Table string // empty: not of a table
	Text  string // what is done
	do    func(ctx context.Context) error
}

func (s Step) String() string {
	if s.Table == "" {
		return s.Text
	}
	return s.Table + ": " + s.Text
}

// Options determine how a file and a target are compared.
type Options struct {
	Prune bool // delete what only the target's tables have: indexes, tags, alarms; never tables
	// KeepPolicies keeps the resource policies of tables that have none in the file, and does not request them: a
	// target responds with an error for a table without a policy.
	KeepPolicies bool
}

func (p *Plan) add(table, text string, do func(context.Context) error) {
	p.Steps = append(p.Steps, Step{table, text, do})
}

func (p *Plan) addUnchanged(text string) { p.Unchanged = append(p.Unchanged, text) }

func (p *Plan) refuse(table, format string, args ...any) {
	p.Refused = append(p.Refused, table+": "+fmt.Sprintf(format, args...))
}

// extra records a resource that only the target has.
func (p *Plan) extra(table, what string, remove func(context.Context) error) {
	if p.prune {
		p.add(table, "delete "+what, remove)
		return
	}
	p.Kept = append(p.Kept, table+": "+what+" is not in the file; --prune deletes it")
}

// Compare finds the differences between a file and the target. It changes nothing.
func (t *Target) Compare(ctx context.Context, f *File, o Options) (*Plan, error) {
	p := &Plan{prune: o.Prune}
	if t.keys != nil {
		for _, k := range f.Keys {
			if err := t.compareKey(ctx, p, k); err != nil {
				return nil, fmt.Errorf("key %s: %w", k.Alias, err)
			}
		}
	}
	alarms, err := t.readAlarms(ctx)
	if err != nil {
		return nil, err
	}
	exists, err := t.tableNames(ctx)
	if err != nil {
		return nil, err
	}
	for i := range f.Tables {
		want := f.Tables[i]
		if t.keys == nil && strings.HasPrefix(want.Encryption, "alias/") {
			want.Encryption = Owned
		}
		var have *Table
		if exists(want.Name) {
			if have, err = t.readTable(ctx, want.Name, !o.KeepPolicies || want.Policy != ""); err != nil {
				return nil, fmt.Errorf("table %s: %w", want.Name, err)
			}
		}
		if have == nil {
			t.planTable(p, &want)
		} else {
			t.compareTable(p, &want, have)
		}
		t.compareAlarms(p, want.Name, want.Alarms, alarms[want.Name])
	}
	t.compareAlarms(p, "", f.Alarms, alarms[""])
	return p, nil
}

// Do performs the steps one after the other, and calls done, which may be nil, for each. Operations that the target
// does not support are skipped, with a note. A plan with refusals is not started.
func (p *Plan) Do(ctx context.Context, t *Target, done func(Step)) error {
	if len(p.Refused) > 0 {
		return fmt.Errorf("%s", strings.Join(p.Refused, "; "))
	}
	for _, s := range p.Steps {
		err := s.do(ctx)
		if isUnsupported(err) {
			t.addNote("not supported by the target, skipped: " + s.String())
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		if done != nil {
			done(s)
		}
	}
	return nil
}

// planTable creates a missing table.
func (t *Target) planTable(p *Plan, want *Table) {
	p.add(want.Name, "create table", func(ctx context.Context) error {
		if _, err := t.db.CreateTable(ctx, want.CreateTable()); err != nil {
			return err
		}
		return t.active(ctx, want.Name)
	})
	t.planTTL(p, want, "")
	t.planRecovery(p, want, 0)
}
