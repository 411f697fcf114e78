package advice

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// members makes a club with some members, and asks a few times how many there are.
func members(n, counts int, by types.Select) func(program) {
	return func(p program) {
		p.table("members", "club", "member")
		for i := range n {
			p.put("members", item{"club": "1", "member": fmt.Sprint(i)})
		}
		for range counts {
			in := partition("members", "club", "1")
			in.Select = by
			p.must(p.Query(p.Context(), in))
		}
	}
}

func TestCountByReading(t *testing.T) {
	t.Parallel()
	f := wantOne(t, "count-by-reading", "members", "6 counts read 720 items", members(120, 6, types.SelectCount))
	if want := "reads 120 items to count them, for 0.5 units"; f.Times != 6 || f.Shown[0].Text != want || f.Monthly <= 0 {
		t.Errorf("%+v, want %q", f, want)
	}
}

func TestCountByReadingIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "count-by-reading", map[string]func(program){
		"a few items":   members(20, 30, types.SelectCount),
		"a few counts":  members(120, 3, types.SelectCount),
		"the items too": members(120, 10, types.SelectAllAttributes),
	})
}
