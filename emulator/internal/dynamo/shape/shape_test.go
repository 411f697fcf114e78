package shape_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

type request struct {
	Name     *string        `check:"notnull,name,minlen=3,maxlen=8"`
	Mode     *string        `check:"enum=ON|OFF"`
	Limit    *int32         `check:"min=1,max=100"`
	Parts    []PartInput    `check:"minlen=1,maxlen=2"`
	Settings *SettingsInput `check:""`
	Words    []string
	On       *bool
}

type PartInput struct {
	Key  *string `check:"notnull"`
	Kind *string `check:"notnull,enum=HASH|RANGE"`
}

type SettingsInput struct {
	Units *int64 `check:"notnull,min=1"`
}

func TestWrongTypes(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"Name":1}`:                  "NUMBER_VALUE cannot be converted to String",
		`{"Name":[]}`:                 "Unrecognized collection type class java.lang.String",
		`{"Limit":"1"}`:               "STRING_VALUE cannot be converted to Integer",
		`{"Settings":{"Units":true}}`: "TRUE_VALUE cannot be converted to Long",
		`{"Settings":1}`:              "Unexpected field type",
		`{"Settings":[]}`:             "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Settings",
		`{"Parts":{}}`:                "Start of structure or map found where not expected",
		`{"Parts":"a"}`:               "Unexpected field type",
		`{"Parts":[1]}`:               "Unexpected value type in payload",
		`{"Parts":[[]]}`:              "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Part",
		`{"Parts":[{"Key":{}}]}`:      "Start of structure or map found where not expected",
		`{"Words":[2.5]}`:             "DECIMAL_VALUE cannot be converted to String",
		`{"On":2}`:                    "NUMBER_VALUE cannot be converted to Boolean",
		`{"Parts":[`:                  jsonread.ErrSyntax.Error(),
	} {
		_, err := read(t, document)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", document, err, want)
		}
	}
}

func TestConstraintViolations(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"Name":"abc","Extra":{"a":[1]},"Mode":null,"Limit":1.9,"On":"yes"}`: "",
		`{}`: "1 validation error detected: Value null at 'name' failed to satisfy constraint: Member must not be null",
		`{"Name":"a;","Mode":"on"}`: "3 validation errors detected: " +
			"Value 'a;' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; " +
			"Value 'a;' at 'name' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
			"Value 'on' at 'mode' failed to satisfy constraint: Member must satisfy enum value set: [ON, OFF]",
		`{"Name":"abcdefghi","Limit":101}`: "2 validation errors detected: " +
			"Value 'abcdefghi' at 'name' failed to satisfy constraint: Member must have length less than or equal to 8; " +
			"Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100",
		`{"Name":"abc","Parts":[]}`: "1 validation error detected: " +
			"Value '[]' at 'parts' failed to satisfy constraint: Member must have length greater than or equal to 1",
		`{"Name":"abc","Parts":[{"Key":"a","Kind":"HASH"},{"Key":"b","Kind":"HASH"},{"Kind":"X"}]}`: "3 validation errors detected: " +
			"Value '[Part(key=a, kind=HASH), Part(key=b, kind=HASH), Part(key=null, kind=X)]' at 'parts' failed to satisfy constraint: Member must have length less than or equal to 2; " +
			"Value null at 'parts.3.member.key' failed to satisfy constraint: Member must not be null; " +
			"Value 'X' at 'parts.3.member.kind' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]",
		`{"Name":"abc","Settings":{"Units":0}}`: "1 validation error detected: " +
			"Value '0' at 'settings.units' failed to satisfy constraint: Member must have value greater than or equal to 1",
	} {
		in, err := read(t, document)
		if err != nil {
			t.Errorf("%s: %v", document, err)
			continue
		}
		if diff := cmp.Diff(want, shape.Check(in)); diff != "" {
			t.Errorf("%s:\n%s", document, diff)
		}
	}
}

func TestAtMostTenViolationsAreReported(t *testing.T) {
	t.Parallel()
	in, err := read(t, `{"Name":"abc","Parts":[{},{},{},{},{},{},{}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := shape.Check(in); got[:2] != "10" {
		t.Errorf("%s", got)
	}
}

func read(t *testing.T, document string) (*request, error) {
	t.Helper()
	r, err := jsonread.New([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	in := &request{}
	return in, shape.Read(&r, in)
}
