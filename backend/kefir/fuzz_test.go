package kefir

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// FuzzCell checks that no cell starts a formula, and that CSV returns what was written, except for its apostrophe.
func FuzzCell(f *testing.F) {
	for _, seed := range []string{"", "plain", "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "a,b\"c\nd", "'",
		"＝1", "\xff", "ä"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := cell(ddb.Str(s))
		if got != "" && strings.ContainsAny(got[:1], "=+-@\t\r\n") || strings.TrimPrefix(got,
			"'") != strings.TrimPrefix(s, "'") {
			t.Errorf("%q became %q", s, got)
		}
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		if err := w.Write([]string{got, "x"}); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		back, err := csv.NewReader(&out).Read()
		if want := strings.ReplaceAll(got, "\r\n", "\n"); err != nil || back[0] != want {
			t.Errorf("%q comes back as %q, %v", got, back, err)
		}
	})
}

// FuzzEventCursor checks that only keys of the listing and its range are accepted as cursors.
func FuzzEventCursor(f *testing.F) {
	from := eventsFrom("2026-02-03T10:30:00Z")
	parts := map[string]func(string) bool{"PK": web.Equals("BATCH#a"), "SK": eventKeyBetween(from,
		prefixEvent+endOfPrefix)}
	valid := map[string]string{"PK": "BATCH#a", "SK": "EVENT#2026-02-03T10:30:01.000Z#evt123"}
	for _, seed := range []string{web.EncodeCursor(valid), "", "e30", "!",
		web.EncodeCursor(map[string]string{"PK": "BATCH#a", "SK": "REMINDER#1"})} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		k, err := web.DecodeCursor(cursor, parts)
		if err != nil || cursor == "" {
			return
		}
		if len(k) != 2 || k["PK"] != "BATCH#a" || k["SK"] < from || !strings.HasPrefix(k["SK"], prefixEvent) {
			t.Errorf("%q became %v", cursor, k)
		}
	})
}

// FuzzOldItems checks that an item of any shape can be read, because older programs wrote some (KF-R7).
func FuzzOldItems(f *testing.F) {
	f.Add("BATCH#1", "stage", "2", true)
	f.Add("REMINDER#1", "dueAt", "x", false)
	f.Fuzz(func(t *testing.T, sk, name, value string, number bool) {
		in := ddb.Item{"PK": ddb.Str("USER#a"), "SK": ddb.Str(sk), "status": ddb.Str(Pending), name: ddb.Str(value)}
		if number {
			in[name] = &types.AttributeValueMemberN{Value: value}
		}
		_, _, _, _, _ = userOf(in), batchOf(in), eventOf(in), reminderOf(in), deviceOf(in)
		_ = AddedKeys(in)
		if len(row(in)) != len(columns()) {
			t.Error("a row of another length")
		}
	})
}

// FuzzIDs checks that the validation of ids in cursors agrees with the patterns of the OpenAPI document.
func FuzzIDs(f *testing.F) {
	id, device := regexp.MustCompile(patternID), regexp.MustCompile(patternDeviceID)
	for _, seed := range []string{"", "a", "evt_1-2", "a.b", ".a", "..", "a:b", "ä", "a#b", "a\n", strings.Repeat("a", 64),
		strings.Repeat("a", 65), strings.Repeat("b", 129)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := validID(s); got != id.MatchString(s) {
			t.Errorf("%q as an id: %v", s, got)
		}
		if got := validDeviceID(s); got != device.MatchString(s) {
			t.Errorf("%q as a device's id: %v", s, got)
		}
	})
}
