package tablefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
	"github.com/tabletop-db/tabletop/internal/util/yamlfile"
)

// Parse parses a description. Errors are one line, with the file, the line and the remedy.
func Parse(name string, text []byte) (*File, error) {
	f := new(File)
	at, err := yamlfile.Read(name, text, f)
	if err != nil {
		return nil, err
	}
	c := checker{at}
	if len(f.Tables) == 0 {
		return nil, at.Errorf([]any{"tables"}, "no tables: add one as - name: …")
	}
	for i, k := range f.Keys {
		if err := c.key(k, i); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for i := range f.Tables {
		t := &f.Tables[i]
		if seen[t.Name] {
			return nil, at.Errorf([]any{"tables", i, "name"}, "two tables are named %q: rename one", t.Name)
		}
		seen[t.Name] = true
		if err := c.table(t, i); err != nil {
			return nil, err
		}
		t.setDefaults()
	}
	for i := range f.Alarms {
		if err := c.alarm(&f.Alarms[i], "alarms", i); err != nil {
			return nil, err
		}
		f.Alarms[i].setDefaults()
	}
	return f, nil
}

// setDefaults sets the defaults of omitted settings, so that two tables can be compared.
func (t *Table) setDefaults() {
	orDefault(&t.Billing, OnDemand)
	orDefault(&t.Class, Standard)
	orDefault(&t.Encryption, Owned)
	t.Policy = t.Policy.canonical()
	for i := range t.Alarms {
		t.Alarms[i].setDefaults()
	}
	for name, kind := range t.Attributes {
		if kind == "S" {
			delete(t.Attributes, name)
		}
	}
}

func (a *Alarm) setDefaults() {
	orDefault(&a.Statistic, "Sum")
	orDefault(&a.Missing, "missing")
	if a.Periods == 0 {
		a.Periods = 1
	}
	if a.Datapoints == 0 {
		a.Datapoints = a.Periods
	}
}

func orDefault(text *string, fallback string) {
	if *text == "" {
		*text = fallback
	}
}

// omitDefaults removes the defaults that setDefaults sets, so that a written file has only other settings.
func (t *Table) omitDefaults() {
	omitIfDefault(&t.Billing, OnDemand)
	omitIfDefault(&t.Class, Standard)
	omitIfDefault(&t.Encryption, Owned)
	for i := range t.Alarms {
		t.Alarms[i].omitDefaults()
	}
}

func (a *Alarm) omitDefaults() {
	omitIfDefault(&a.Statistic, "Sum")
	omitIfDefault(&a.Missing, "missing")
	if a.Datapoints == a.Periods {
		a.Datapoints = 0
	}
	if a.Periods == 1 {
		a.Periods = 0
	}
}

func omitIfDefault(text *string, fallback string) {
	if *text == fallback {
		*text = ""
	}
}

// checker refuses settings that no target accepts.
type checker struct{ *yamlfile.File }

var (
	tableName = lazyregexp.New(`^[a-zA-Z0-9_.-]{3,255}$`)
	aliasName = lazyregexp.New(`^alias/[a-zA-Z0-9/_-]{1,250}$`)
)

func (c checker) key(k Key, i int) error {
	switch {
	case !aliasName.MatchString(k.Alias) || strings.HasPrefix(k.Alias, "alias/aws/"):
		return c.Errorf([]any{"keys", i, "alias"}, "alias %q: use alias/ and a name that does not begin with aws/", k.Alias)
	case k.RotationDays != 0 && (k.RotationDays < 90 || k.RotationDays > 2560):
		return c.Errorf([]any{"keys", i, "rotation_days"}, "rotation_days %d: use 90 to 2560, or omit it",
			k.RotationDays)
	}
	return nil
}

func (c checker) table(t *Table, i int) error {
	at := func(field ...any) []any { return append([]any{"tables", i}, field...) }
	switch {
	case !tableName.MatchString(t.Name):
		return c.Errorf(at("name"), "name %q: write 3 to 255 letters, digits, and _ . -", t.Name)
	case len(t.Key.Partition) == 0:
		return c.Errorf(at("key"), "the table %s has no partition key: add key: {partition: …}", t.Name)
	case t.Billing == Provisioned && (t.Throughput == nil || t.Throughput.Read < 1 || t.Throughput.Write < 1):
		return c.Errorf(at("billing"), "a provisioned table needs throughput: {read: 5, write: 5}")
	case t.RecoveryDays < 0 || t.RecoveryDays > 35:
		return c.Errorf(at("recovery_days"), "recovery_days %d: use 1 to 35, or omit it", t.RecoveryDays)
	case t.Encryption != "" && t.Encryption != Owned && t.Encryption != AWSKey && !aliasName.MatchString(t.Encryption) &&
		!strings.HasPrefix(t.Encryption, "arn:"):
		return c.Errorf(at("encryption"), "encryption %q: write owned, aws, an alias such as alias/orders, or a key's ARN",
			t.Encryption)
	}
	for field, one := range map[string]struct {
		value string
		of    []string
	}{
		"billing": {t.Billing, []string{OnDemand, Provisioned}},
		"class":   {t.Class, []string{Standard, InfrequentAccess}},
		"stream":  {t.Stream, []string{"keys-only", "new-image", "old-image", "new-and-old-images"}},
	} {
		if one.value != "" && !slices.Contains(one.of, one.value) {
			return c.Errorf(at(field), "%s %q: write one of %s", field, one.value, strings.Join(one.of, ", "))
		}
	}
	return c.checkLists(t, at)
}

// checkLists checks the lists of a table.
func (c checker) checkLists(t *Table, at func(...any) []any) error {
	keys := map[string]bool{}
	for _, name := range t.Key.names() {
		keys[name] = true
	}
	if len(t.Key.Partition) > 1 || len(t.Key.Sort) > 1 {
		return c.Errorf(at("key"), "the key of the table %s has several attributes of one kind: only global indexes can", t.Name)
	}
	for j, x := range t.Indexes {
		for _, name := range x.Key.names() {
			keys[name] = true
		}
		switch {
		case !tableName.MatchString(x.Name):
			return c.Errorf(at("indexes", j, "name"), "name %q: write 3 to 255 letters, digits, and _ . -", x.Name)
		case len(x.Key.Partition) == 0:
			return c.Errorf(at("indexes", j), "the index %s has no partition key: add key: {partition: …}", x.Name)
		case x.Local && !slices.Equal(x.Key.Partition, t.Key.Partition):
			return c.Errorf(at("indexes", j, "key"), "a local index has the table's partition key, %s", t.Key.Partition[0])
		case len(x.Key.Partition) > 4 || len(x.Key.Sort) > 4 || x.Local && len(x.Key.Sort) > 1:
			return c.Errorf(at("indexes", j, "key"),
				"the key has too many attributes: write up to four of each kind, and one sort key for a local index")
		case !x.Local && t.Billing == Provisioned && (x.Throughput == nil || x.Throughput.Read < 1 || x.Throughput.Write < 1):
			return c.Errorf(at("indexes", j), "an index of a provisioned table needs throughput: {read: 5, write: 5}")
		case x.Local && x.Throughput != nil:
			return c.Errorf(at("indexes", j, "throughput"), "a local index uses the table's throughput: omit it")
		}
	}
	for name, kind := range t.Attributes {
		if !keys[name] {
			return c.Errorf(at("attributes", name), "%s is not a key attribute: only key attributes have types",
				name)
		}
		if kind != "S" && kind != "N" && kind != "B" {
			return c.Errorf(at("attributes", name), "type %q: write S, N or B", kind)
		}
	}
	for j := range t.Alarms {
		if err := c.alarm(&t.Alarms[j], at("alarms", j)...); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) alarm(a *Alarm, path ...any) error {
	at := func(field string) []any { return append(path[:len(path):len(path)], field) }
	switch {
	case a.Name == "" || len(a.Name) > 255:
		return c.Errorf(at("name"), "an alarm needs a name of 1 to 255 letters")
	case a.Metric == "":
		return c.Errorf(path, "the alarm %s needs a metric, such as ThrottledRequests", a.Name)
	case a.Period == 0:
		return c.Errorf(path, "the alarm %s needs a period, such as 5m", a.Name)
	case a.When.Operator == "":
		return c.Errorf(path, "the alarm %s needs when: %v", a.Name, errAlarmCondition)
	case a.Periods < 0 || a.Datapoints < 0 || a.Datapoints > max(a.Periods, 1):
		return c.Errorf(at("datapoints"), "datapoints %d exceeds periods %d: use at most as many", a.Datapoints,
			max(a.Periods, 1))
	case a.Missing != "" && !slices.Contains([]string{"missing", "breaching", "notBreaching", "ignore"}, a.Missing):
		return c.Errorf(at("missing"), "missing %q: write one of missing, breaching, notBreaching, ignore", a.Missing)
	}
	for _, arn := range append(a.Actions[:len(a.Actions):len(a.Actions)], a.OKActions...) {
		if !strings.HasPrefix(arn, "arn:") {
			return c.Errorf(path, "the action %q of the alarm %s: write an ARN, such as that of an SNS topic", arn, a.Name)
		}
	}
	return nil
}

// names returns the names of the key's attributes.
func (k KeySchema) names() []string { return slices.Concat(k.Partition, k.Sort) }

func (k KeySchema) equal(other KeySchema) bool {
	return slices.Equal(k.Partition, other.Partition) && slices.Equal(k.Sort, other.Sort)
}

// String returns the partition key and the sort key, separated by a comma; one of several attributes is in brackets.
func (k KeySchema) String() string {
	if len(k.Sort) == 0 {
		return k.Partition.String()
	}
	return fmt.Sprintf("%s, %s", k.Partition, k.Sort)
}

func (a KeyAttributes) String() string {
	if len(a) == 1 {
		return a[0]
	}
	return "[" + strings.Join(a, ", ") + "]"
}
