package wire

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
)

// FuzzTableARN parses ARNs: a table name that is found is valid, and the ARN is the one of that table.
func FuzzTableARN(f *testing.F) {
	for _, seed := range []string{
		"arn:aws:dynamodb:us-east-1:000000000000:table/notes",
		"arn:aws:dynamodb:us-east-1:000000000000:table/notes/index/by-user",
		"arn:aws:dynamodb:us-east-1:000000000000:table",
		"arn:aws:dynamodb:us-east-1::table/a:b",
		"arn:", "arn:::::",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arn string) {
		name, err := parseTableARN(arn, "us-east-1")
		if err != nil {
			if name != arn {
				t.Errorf("%q is invalid, and its name is %q", arn, name)
			}
			return
		}
		if !shape.IsName(name) || len(name) < 3 || len(name) > shape.MaxNameLength {
			t.Errorf("%q names the table %q", arn, name)
		}
		rest, ok := strings.CutPrefix(arn, "arn:aws:dynamodb:us-east-1:")
		if account, _, _ := strings.Cut(rest, ":"); !ok || rest != account+":table/"+name {
			t.Errorf("%q is taken for the ARN of the table %q", arn, name)
		}
	})
}
