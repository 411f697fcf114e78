package datafile

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestProposeKey(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"name,id\nana,7\nbo,8\n":                           "[{id N}]",
		"id,name\n007,ana\n008,bo\n":                       "[{id S}]",
		"id,name\n1.50,ana\n2.5,bo\n":                      "[{id S}]",
		"id,n\n123456789012345678901234567890123456789,\n": "[{id S}]",
		"customer,date,total:N\nana,1,5\nana,2,5\n":        "[{date N}]",
		"customer,date\nana,1\nana,2\nbo,1\n":              "[{customer S} {date N}]",
		"customer,note\nana,\nana,x\n":                     "[{customer S}]",
		"total,PK,SK\n1,a,b\n2,a,c\n":                      "[{PK S} {SK S}]",
		`{"id":"7","n":1}` + "\n" + `{"id":"8","n":1}`:     "[{id S}]",
		`{"n":1,"s":true}` + "\n" + `{"n":"1"}`:            "[]",
		`{"id":{"B":"AAE="},"m":{"M":{}}}`:                 "[{id B}]",
	} {
		source, err := New(strings.NewReader(file), Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		var items []Item
		for {
			record, err := source.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			items = append(items, record.Item)
		}
		if got := fmt.Sprint(ProposeKey(source.Format, items)); got != want {
			t.Errorf("%s: %s, not %s", file, got, want)
		}
	}
}

func TestNewTable(t *testing.T) {
	t.Parallel()
	s, err := NewTable("orders", []string{"a:b:N", "c"})
	if err != nil || fmt.Sprint(s.TableKey()) != "[{a:b N} {c S}]" {
		t.Errorf("%v %v", s, err)
	}
	for want, key := range map[string][]string{
		"key has 0 attributes": nil,
		"key has 3 attributes": {"a", "b", "c"},
		`key "a:L" is invalid`: {"a:L"},
		`key ":S" is invalid`:  {":S"},
	} {
		if _, err := NewTable("orders", key); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", key, err)
		}
	}
}
