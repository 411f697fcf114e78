package metamorphic

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestConfigurationsAgree runs a random history against every configuration.
func TestConfigurationsAgree(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 2, func(t *testing.T, seed uint64) {
		history := makeHistory(seed, 160)
		all := configs()
		want, problems := runHistory(t, all[0], seed, history)
		if len(problems) > 0 {
			report(t, all[0], seed, history, problems)
			return
		}
		for _, c := range all[1:] {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				if wrong := check(t, c, seed, history, want); len(wrong) > 0 {
					report(t, c, seed, history, wrong)
				}
			})
		}
	})
}

// makeHistory generates a history from a seed: first the table and the container, then random operations.
func makeHistory(seed uint64, length int) []operation {
	random := rand.New(rand.NewPCG(seed, 0))
	d, c := dynamoGenerator{random, new(time.Duration)}, cosmosGenerator{random}
	history := []operation{{name: "create the table", run: (*runner).makeTable}, {name: "create the container",
		run: (*runner).makeContainer}}
	weighted := []struct {
		weight int
		make   func() operation
	}{{12, d.write}, {6, d.read}, {4, d.readMany}, {4, d.writeMany}, {2, d.manage}, {1, d.transfer}, {3, d.pass},
		{12, c.write}, {5, c.batch}, {6, c.read}, {4, c.readMany}}
	total := 0
	for _, w := range weighted {
		total += w.weight
	}
	for range length {
		n := random.IntN(total)
		for _, w := range weighted {
			if n -= w.weight; n < 0 {
				history = append(history, w.make())
				break
			}
		}
	}
	return history
}

// check runs a history against a configuration and returns the problems.
func check(t *testing.T, c config, seed uint64, history []operation, want []string) []string {
	got, wrong := runHistory(t, c, seed, history)
	for i := range got {
		if history[i].eventual && c.lags || got[i] == want[i] {
			continue
		}
		wrong = append(wrong, fmt.Sprintf("operation %d, %s, answers\n    %s\n  in memory\n    %s", i, history[i].name,
			got[i], want[i]))
		if len(wrong) > 5 {
			break
		}
	}
	return wrong
}

// report fails the test with the shortest failing history that was found.
func report(t *testing.T, c config, seed uint64, history []operation, problems []string) {
	t.Helper()
	short, left := shrink(t, c, seed, history)
	if len(left) > 0 {
		problems = left
	}
	var steps []string
	for _, one := range short {
		steps = append(steps, "  "+one.name)
	}
	t.Errorf("configuration %q, seed %d:\n%s\nwith these operations, of %d:\n%s\nreplay: TABLETOP_SEED=%d go test -run TestConfigurationsAgree ./emulator/internal/metamorphic",
		c.name, seed, strings.Join(problems, "\n"), len(history), strings.Join(steps, "\n"), seed)
}

// shrink removes from a history what does not matter to a failure, in pieces of half of it, a quarter and so on, within
// a time limit. A failure that is not deterministic may not become shorter.
func shrink(t *testing.T, c config, seed uint64, history []operation) (short []operation, problems []string) {
	const most = 150 // runs
	fails := func(some []operation) []string {
		want, wrong := runHistory(t, configs()[0], seed, some)
		if len(wrong) > 0 || c.name == configs()[0].name {
			return wrong
		}
		return check(t, c, seed, some, want)
	}
	runs, begun := 0, 2 // the table and the container remain
	for size := (len(history) - begun) / 2; size > 0 && runs < most; size /= 2 {
		for at := begun; at < len(history) && runs < most; {
			runs++
			without := append(history[:at:at], history[min(len(history), at+size):]...)
			if wrong := fails(without); len(wrong) > 0 {
				history, problems = without, wrong
				continue
			}
			at += size
		}
	}
	return history, problems
}

// checkAtEnd checks the redundant data within one emulator.
func (r *runner) checkAtEnd() {
	for range 6 { // everything that expires expires
		r.drain()
		r.follow()
		r.advance(40 * time.Minute)
	}
	r.drain()
	r.follow()
	table := r.table("things", "")
	r.same("the table replayed from its stream", r.stream.items, table)
	r.checkIndexes(table)
	r.checkExpired(table)
	if n, ok := r.amazon("DescribeTable", `{"TableName":"things"}`).field("Table", "ItemCount").(float64); !ok ||
		int(n) != len(table) {
		r.problem("DescribeTable says %v items, and there are %d", n, len(table))
	}
	container := r.feedOf()
	r.same("the container replayed from all versions", r.feed.items, container)
	r.same("the container read from its change feed", r.feedOf("A-IM", "Incremental Feed"), container)
}

// checkIndexes compares each index with the table.
func (r *runner) checkIndexes(table map[string]string) {
	for index, key := range map[string]string{"by-state": "state", "by-amount": "amount", "by-note": "note"} {
		if index == "by-note" && !strings.Contains(string(r.amazon("DescribeTable", `{"TableName":"things"}`).body),
			`"by-note"`) {
			continue
		}
		want := map[string]string{}
		for name, it := range table {
			var attributes map[string]any
			if err := json.Unmarshal([]byte(it), &attributes); err != nil {
				r.problem("%v", err)
			}
			if value, ok := attributes[key].(map[string]any); !ok || value["S"] == "" || index != "by-amount" &&
				attributes["amount"] == nil || index == "by-note" && attributes["state"] == nil {
				continue
			}
			if index == "by-amount" {
				attributes = map[string]any{"pk": attributes["pk"], "sk": attributes["sk"], "amount": attributes["amount"]}
			}
			if index == "by-note" {
				attributes = map[string]any{"pk": attributes["pk"], "sk": attributes["sk"], "note": attributes["note"],
					"state": attributes["state"], "amount": attributes["amount"]}
			}
			want[name] = compact(attributes)
		}
		r.same("the index "+index, r.table("things", index), want)
	}
}

// checkExpired finds expired items that are still there.
func (r *runner) checkExpired(table map[string]string) {
	for name, it := range table {
		var one struct {
			Until struct {
				N int64 `json:",string"`
			}
		}
		if err := json.Unmarshal([]byte(it), &one); err != nil {
			r.problem("%v", err)
		}
		if one.Until.N != 0 && one.Until.N < r.Now().Unix() {
			r.problem("item %s expired at %d and is there at %d", name, one.Until.N, r.Now().Unix())
		}
	}
}
