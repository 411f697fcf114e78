package builtin

import "testing"

func TestIntegersAreOf64Bits(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`INTADD 9007199254740993 | 2`:                    "9007199254740995",
		`INTADD 9223372036854775807 | 1`:                 "-9223372036854775808",
		`INTDIV -9223372036854775808 | -1`:               "-9223372036854775808",
		`INTDIV 1 | 0`:                                   "undefined",
		`INTMOD 7.5 | 2`:                                 "undefined",
		`INTMUL 1e30 | 2`:                                "undefined",
		`INTBITNOT 0`:                                    "-1",
		`INTBITLEFTSHIFT 1 | 62`:                         "4611686018427387904",
		`IS_INTEGER 1.5`:                                 "false",
		`TOSTRING 9007199254740993`:                      `"9007199254740993"`,
		`DATETIMETOTICKS "2023-06-27T23:39:36.6342236Z"`: "16879091766342236",
	})
}
