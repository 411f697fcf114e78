package doc

import (
	"errors"
	"strconv"
	"testing"
)

func TestPartitionKeyHeader(t *testing.T) {
	t.Parallel()
	for text, expected := range map[string]string{
		`["a"]`:                 `["a"]`,
		` [1.5] `:               `[1.5]`,
		`[true]`:                `[true]`,
		`[null]`:                `[null]`,
		`[{}]`:                  `[{}]`,
		`[]`:                    `[]`,
		`["a",1,{}]`:            `["a",1,{}]`,
		`["\u00e9"]`:            `["é"]`,
		`["\ud83d\ude00"]`:      `["😀"]`,
		`["\a\v\x01\x7f"]`:      `["\u0007\u000b\u0001` + "\x7f" + `"]`,
		`["\U0001f600\\x41"]`:   `["😀\\x41"]`,
		`["\xff"]`:              `["` + "\ufffd" + `"]`,
		`["\U00110000"]`:        `["` + "\ufffd" + `"]`,
		``:                      "",
		`"a"`:                   "",
		`{}`:                    "",
		`[[]]`:                  "",
		`[{"a":1}]`:             "",
		`["a"`:                  "",
		`["\x4"]`:               "",
		`["\xzz"]`:              "",
		`["\`:                   "",
		`[1]2`:                  "",
		`[1e999]`:               "",
		"[\"" + "\xff" + "\"]":  "",
		`["\U0001f6"]`:          "",
		`[` + "\u00a0" + `"a"]`: "",
	} {
		key, err := ParsePartitionKeyHeader(text)
		if expected == "" {
			if !errors.Is(err, ErrPartitionKeyHeader) {
				t.Errorf("%s: %v, %v", text, key, err)
			}
			continue
		}
		if err != nil || key.String() != expected {
			t.Errorf("%s: %v, %v; expected %s", text, key, err, expected)
		}
	}
}

func FuzzPartitionKeyHeader(f *testing.F) {
	for _, s := range []string{`["a",1.5,null,{}]`, `["\U0001f600\x01"]`, `[]`, `["\`} {
		f.Add(s)
	}
	d := PartitionKeyDefinition{Paths: []string{"/a", "/b", "/c"}, Kind: KindMultiHash, Version: 2}
	f.Fuzz(func(t *testing.T, s string) {
		if key, err := ParsePartitionKeyHeader(s); err == nil {
			again, err := ParsePartitionKeyHeader(key.String())
			if err != nil || !again.Equal(key) || len(d.EPK(key)) != 16*len(key) {
				t.Fatalf("%q: %v %v", s, again, err)
			}
		}
		quoted := strconv.QuoteToASCII(s)
		if _, err := ParsePartitionKeyHeader("[" + quoted + "]"); err != nil {
			t.Fatalf("what azcosmos writes is refused: %s", quoted)
		}
	})
}

func TestPartitionKeyFromDocument(t *testing.T) {
	t.Parallel()
	document := `{"a":"x","n":{"b":1.5,"c/d":true,"e \" f":null},"o":{"p":1},"l":[1],"empty":{},"q\\\"r":"back"}`
	v, err := Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for path, expected := range map[string]string{
		`/a`:             `["x"]`,
		`/n/b`:           `[1.5]`,
		`/n/"c/d"`:       `[true]`,
		`/'n'/'e " f'`:   `[null]`,
		`/"q\"r"`:        `["back"]`,
		`/missing`:       `[{}]`,
		`/missing/b`:     `[{}]`,
		`/n/missing`:     `[{}]`,
		`/empty`:         `[{}]`,
		`/o`:             "",
		`/l`:             "",
		`/a/b`:           "",
		`/l/b`:           "",
		`/_partitionKey`: `[{}]`,
	} {
		d := PartitionKeyDefinition{Paths: []string{path}}
		key, err := d.FromDocument(v)
		if expected == "" {
			if !errors.Is(err, ErrPartitionKeyValue) {
				t.Errorf("%s: %v, %v", path, key, err)
			}
			continue
		}
		if err != nil || key.String() != expected {
			t.Errorf("%s: %v, %v; expected %s", path, key, err, expected)
		}
	}
}

func TestPathSegments(t *testing.T) {
	t.Parallel()
	names, err := PathSegments(`/a/"b/c"/'d'`)
	if err != nil || len(names) != 3 || names[1] != "b/c" || names[2] != "d" {
		t.Errorf("%q %v", names, err)
	}
	for _, bad := range []string{"", "/", "a", "a/b", "/a/", "//a", `/"a`, `/"a"b`, `/""`} {
		if names, err := PathSegments(bad); err == nil {
			t.Errorf("%q: %q", bad, names)
		}
	}
}

func FuzzPathSegments(f *testing.F) {
	f.Add(`/a/"b/c"/'d\'`)
	f.Fuzz(func(t *testing.T, path string) {
		names, err := PathSegments(path)
		if err == nil && len(names) == 0 {
			t.Fatalf("%q has no segment", path)
		}
	})
}
