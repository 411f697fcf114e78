package expr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

func TestCheckPlaceholders(t *testing.T) {
	t.Parallel()
	names := func(placeholder, name string) Placeholders {
		return Placeholders{Names: []Name{{Placeholder: placeholder, Attribute: name}}}
	}
	values := func(placeholder string) Placeholders {
		return Placeholders{Values: []Value{{Placeholder: placeholder, Value: item.NewInt(1)}}}
	}
	const name, value = "ExpressionAttributeNames contains invalid ", "ExpressionAttributeValues contains invalid "
	for _, c := range []struct {
		p    Placeholders
		want string
	}{
		{Placeholders{}, "<nil>"},
		{Placeholders{Names: []Name{}}, "ExpressionAttributeNames must not be empty"},
		{Placeholders{Values: []Value{}}, "ExpressionAttributeValues must not be empty"},
		{names("#a", "status"), "<nil>"},
		{names("#0_", "status"), "<nil>"},
		{names("a", "b"), name + `key: Syntax error; key: "a"`},
		{names("#", "b"), name + `key: Syntax error; key: "#"`},
		{names("##", "b"), name + `key: Syntax error; key: "##"`},
		{names("#a-", "b"), name + `key: Syntax error; key: "#a-"`},
		{names(" #a", "b"), name + `key: Syntax error; key: " #a"`},
		{names(":a", "b"), name + `key: Syntax error; key: ":a"`},
		{names("#"+strings.Repeat("a", 300), "b"),
			name + "key: The expression attribute map contains a key that is too long; size of key: 301"},
		{names("#a", ""), name + "value: Empty attribute name for key #a"},
		{names("#a", strings.Repeat("x", 65536)),
			name + "value: Attribute name is too large, must be less than 65536 bytes for key #a"},
		{values(":a"), "<nil>"},
		{values("a"), value + `key: Syntax error; key: "a"`},
		{values(":"), value + `key: Syntax error; key: ":"`},
	} {
		if diff := cmp.Diff(c.want, fmt.Sprint(c.p.Check())); diff != "" {
			t.Error(diff)
		}
	}
}

// Placeholders are unused if no expression of the request has them. Unused names are reported first.
func TestUnusedPlaceholders(t *testing.T) {
	t.Parallel()
	p := &Placeholders{
		Names: []Name{{Placeholder: "#a", Attribute: "a"}, {Placeholder: "#b", Attribute: "b"},
			{Placeholder: "#c", Attribute: "c"}},
		Values: []Value{{Placeholder: ":a", Value: item.NewInt(1)}, {Placeholder: ":b", Value: item.NewInt(2)}},
	}
	const unused = "Value provided in ExpressionAttribute%s unused in expressions: keys: {%s}"
	for _, step := range []struct {
		parse func() error
		want  string
	}{
		{func() error { return nil }, fmt.Sprintf(unused, "Names", "#a, #b, #c")},
		{func() error { _, err := ParseUpdate("SET #a = :a", p); return err }, fmt.Sprintf(unused, "Names", "#b, #c")},
		{func() error { _, err := ParseProjection("#b.x, y", p); return err }, fmt.Sprintf(unused, "Names", "#c")},
		{func() error {
			_, err := ParseCondition(FilterExpression, "size(#c) > d", p)
			return err
		}, fmt.Sprintf(unused, "Values", ":b")},
		{func() error { _, err := ParseKeyCondition("a = :b", p); return err }, "<nil>"},
	} {
		if err := step.parse(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.want, fmt.Sprint(p.Unused())); diff != "" {
			t.Error(diff)
		}
	}
}

// Placeholders are found in a request with very many.
func TestManyPlaceholders(t *testing.T) {
	t.Parallel()
	p := new(Placeholders)
	var src []string
	for i := range 200 {
		p.Names = append(p.Names, Name{Placeholder: fmt.Sprintf("#n%d", i), Attribute: fmt.Sprintf("a%d", i)})
		p.Values = append(p.Values, Value{Placeholder: fmt.Sprintf(":v%d", i), Value: item.NewInt(int64(i))})
		src = append(src, fmt.Sprintf("#n%d=:v%d", i, i))
	}
	u, err := ParseUpdate("SET "+strings.Join(src, ","), p)
	if err != nil || p.Unused() != nil {
		t.Fatal(err, p.Unused())
	}
	it, err := u.Apply(item.Empty, nil)
	if err != nil || it.Len() != 200 {
		t.Fatal(it.Len(), err)
	}
	if v, _ := it.Field("a199"); string(v.Bytes()) != "199" {
		t.Errorf("a199 is %s", v)
	}
}

// Key attributes are scalars, cannot be used in a filter, and cannot be updated.
func TestKeyUse(t *testing.T) {
	t.Parallel()
	schema := &KeySchema{Hash: []KeyAttribute{{"pk", item.String}}, Range: []KeyAttribute{{"sk", item.Number}}}
	filter, err := ParseCondition(FilterExpression, "a = sk OR size(pk) > b.c[1]", nil)
	if err != nil {
		t.Fatal(err)
	}
	update, err := ParseUpdate("SET a = b, sk.x = c REMOVE d", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		got  error
		want string
	}{
		{filter.CheckFilter("Filter Expression", schema),
			"Filter Expression can only contain non-primary key attributes: Primary key attribute: pk"},
		{CheckScalar(slices.Collect(filter.Paths()), "IndexKey", "b"),
			"Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: b"},
		{update.CheckKey("pk", "sk"),
			"One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key"},
	} {
		if diff := cmp.Diff(c.want, fmt.Sprint(c.got)); diff != "" {
			t.Error(diff)
		}
	}
	if err := CheckScalar(slices.Collect(filter.Paths()), "Key", "pk"); err != nil {
		t.Error(err)
	}
}
