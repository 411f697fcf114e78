package exprtext

import "testing"

func TestNormalize(t *testing.T) {
	t.Parallel()
	fill := func(p string) string { return map[string]string{"#0": "a", "#1": "b", ":0": "?", ":1": "?"}[p] }
	for written, want := range map[string]string{
		"(#0 = :0) AND (begins_with (#1, :1))":                 "a = ? AND begins_with(b, ?)",
		"#0 = :0 AND begins_with(#1, :1)":                      "a = ? AND begins_with(b, ?)",
		"(#0 = :0) AND (#1 BETWEEN :0 AND :1)":                 "a = ? AND b BETWEEN ? AND ?",
		"(#0 = :0) AND ((attribute_exists (#1)) OR (#1 < :1))": "a = ? AND (attribute_exists(b) OR b < ?)",
		"REMOVE #0\nSET #1 = :0\n":                             "SET b = ? REMOVE a",
		"":                                                     "",
	} {
		if got := Normalize(written, fill); got != want {
			t.Errorf("%q is %q, not %q", written, got, want)
		}
	}
}
