package builtin

import "testing"

func TestStringsAreCountedInCharacters(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`LENGTH "aé😀"`:                    `3`,
		`LEFT "aé😀b" | 3`:                 `"aé😀"`,
		`RIGHT "aé😀b" | 2`:                `"😀b"`,
		`SUBSTRING "aé😀b" | 1 | 2`:        `"é😀"`,
		`SUBSTRING "ab" | 7 | 2`:          `""`,
		`SUBSTRING "abc" | -1 | 1`:        `""`,
		`LEFT "a" | -1`:                   `""`,
		`RIGHT "a" | -1`:                  `""`,
		`INDEX_OF "é😀b" | "b"`:            `2`,
		`INDEX_OF "b" | ""`:               `0`,
		`LASTINDEXOF "éabcab" | "ab"`:     `4`,
		`LASTINDEXOF "éabcab" | "ab" | 4`: `1`,
		`REVERSE "aé😀"`:                   `"😀éa"`,
	})
}

func TestOtherTypesAreUndefined(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`CONCAT "a" | 1`:                "undefined",
		`CONCAT "a" | undefined`:        "undefined",
		`CONTAINS "a" | null`:           "undefined",
		`CONTAINS "a" | "A" | true`:     "true",
		`UPPER null`:                    "undefined",
		`LEFT "a" | 0.5`:                "undefined",
		`SUBSTRING "abc" | 1 | 0.5`:     "undefined",
		`REPLACE "a" | "a" | 1`:         "undefined",
		`STRINGSPLIT "a" | undefined`:   "undefined",
		`STRINGJOIN ["a",1] | ","`:      "undefined",
		`REGEXMATCH "a" | "("`:          "undefined",
		`REGEXMATCH "a" | "a" | "g"`:    "undefined",
		`STRINGTONUMBER "1e999"`:        "undefined",
		`STRINGTOOBJECT "[]"`:           "undefined",
		`SUBSTRINGBEFORE "abc" | "x"`:   "undefined",
		`CONTAINS_ANY_CI 1 | "a" | "b"`: "undefined",
	})
}

func TestStringsStaySmall(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`LENGTH "x"`:              "1",
		`REPLICATE "ab" | 5001`:   "undefined",
		`REPLICATE "ab" | 1e300`:  "undefined",
		`REPLICATE "ab" | -1`:     "undefined",
		`REPLICATE "" | 1e300`:    `""`,
		`REPLICATE "ab" | 2.9`:    `"abab"`,
		`REPLACE "aa" | "" | "b"`: "undefined",
	})
}

func TestRegexModifiers(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`REGEXMATCH "a\nb" | "^b$"`:                "false",
		`REGEXMATCH "a\nb" | "^b$" | "m"`:          "true",
		`REGEXMATCH "a\nb" | "a.b"`:                "false",
		`REGEXMATCH "a\nb" | "A.B" | "si"`:         "true",
		`REGEXMATCH "ab c" | "a b\\ c # it" | "x"`: "true",
		`REGEXMATCH "a b" | "a[ ]b" | "x"`:         "true",
		`REGEXMATCH "abc" | "(?=b)"`:               "undefined",
	})
}
