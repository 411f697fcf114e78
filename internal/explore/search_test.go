package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// simulated is a program that sends requests for a plan, and fails as a function says.
type simulated struct {
	requests func(p Plan) []Request
	fails    func(p Plan, run int64) string // the reason; empty: it passes
	runs     atomic.Int64
}

func (s *simulated) Run(_ context.Context, p Plan) (*Outcome, error) {
	run := s.runs.Add(1)
	o := &Outcome{Requests: s.requests(p)}
	counts := map[Target]int{}
	for i := range o.Requests {
		r := &o.Requests[i]
		counts[r.target()]++
		for _, m := range p {
			if m.Target == r.target() && m.Nth == counts[m.Target] {
				r.Mishap = m.Do
			}
		}
	}
	o.Reason = s.fails(p, run)
	o.Passed = o.Reason == ""
	return o, nil
}

func write(operation, table string) Request {
	return Request{Operation: operation, Tables: []string{table}, Writes: true, Conflicts: true,
		Transaction: strings.HasPrefix(operation, "Transact")}
}

// always sends the same requests in each run.
func always(all ...Request) func(Plan) []Request {
	return func(Plan) []Request { return slices.Clone(all) }
}

// breaks returns a function that fails a run if all mishaps of a plan happen.
func breaks(q Plan) func(Plan, int64) string {
	return func(p Plan, _ int64) string {
		if p.contains(q) {
			return "broken"
		}
		return ""
	}
}

func lost(operation, table string, nth int) Mishap {
	return Mishap{Target{operation, table}, nth, LostResponse}
}

func explored(t *testing.T, p Program, s Settings) *Result {
	t.Helper()
	s.Parallel = 4
	r, err := Search(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEachKindIsTriedAtEachTarget(t *testing.T) {
	t.Parallel()
	program := &simulated{requests: always(write("PutItem", "orders"), write("TransactWriteItems", "orders"),
		write("UpdateItem", "stock"), Request{Operation: "GetItem", Tables: []string{"stock"}, Eventual: true}),
		fails: breaks(Plan{lost("none", "none", 1)})}
	r := explored(t, program, Settings{Runs: 60})
	for _, row := range r.Matrix() {
		want := []Kind{LostResponse, Conflict, LostRequest, Throttle, InternalError, ClockJump, Restart}
		switch row.Operation {
		case "GetItem":
			want = []Kind{Stale, Throttle, ClockJump}
		case "UpdateItem": // no transaction uses its table
			want = []Kind{LostResponse, LostRequest, Throttle, InternalError, ClockJump, Restart}
		}
		for _, k := range want {
			if row.Verdicts[k] != Survived {
				t.Errorf("%s of %s: %q, want survived", k, row.Target, row.Verdicts[k])
			}
		}
		if len(row.Verdicts) != len(want) {
			t.Errorf("%s: %v, want only %v", row.Target, row.Verdicts, want)
		}
	}
	if len(r.Findings) != 0 || r.Runs != 60 {
		t.Errorf("%d findings, %d runs; want 0, 60", len(r.Findings), r.Runs)
	}
}

func TestAFindingIsShrunkToTheMishapsThatMatter(t *testing.T) {
	t.Parallel()
	cause := Plan{lost("PutItem", "orders", 1), {Target{"UpdateItem", "stock"}, 2, Throttle}}
	program := &simulated{requests: always(write("PutItem", "orders"), write("UpdateItem", "stock"),
		write("UpdateItem", "stock")), fails: breaks(cause)}
	r := explored(t, program, Settings{Runs: 3000, Seed: 7})
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1", len(r.Findings))
	}
	if f := r.Findings[0]; len(f.Plan) != 2 || !f.Plan.contains(cause) {
		t.Errorf("plan %q, want %q", f.Plan.Text(), cause.Text())
	}
}

func TestOneFindingForAllRequestsOfATarget(t *testing.T) {
	t.Parallel()
	program := &simulated{requests: always(write("UpdateItem", "stock"), write("UpdateItem", "stock"),
		write("UpdateItem", "stock")), fails: func(p Plan, _ int64) string {
		if slices.ContainsFunc(p, func(m Mishap) bool { return m.Do == LostResponse }) {
			return "counted twice"
		}
		return ""
	}}
	r := explored(t, program, Settings{Runs: 300})
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1", len(r.Findings))
	}
	f := r.Findings[0]
	if f.Plan.Text() != "cut-after-commit UpdateItem 1 stock" || !slices.Equal(f.Also, []int{2, 3}) {
		t.Errorf("%q also at %v; want the first request, also at 2 and 3", f.Plan.Text(), f.Also)
	}
	if v := r.Matrix()[0].Verdicts[LostResponse]; v != Failed {
		t.Errorf("verdict %q, want failed", v)
	}
}

// TestNoPlanIsAnOutage checks that no two requests of a target in a row fail, which are one that a client sends again.
func TestNoPlanIsAnOutage(t *testing.T) {
	t.Parallel()
	program := &simulated{requests: always(write("UpdateItem", "stock"), write("UpdateItem", "stock"),
		write("UpdateItem", "stock"), write("UpdateItem", "stock")), fails: func(p Plan, _ int64) string {
		for i, m := range p {
			if slices.ContainsFunc(p[:i], m.isNextTo) {
				t.Errorf("plan %q", p.Text())
			}
		}
		return ""
	}}
	if r := explored(t, program, Settings{Runs: 500}); r.Runs < 100 {
		t.Errorf("only %d runs", r.Runs)
	}
}

// TestARequestThatOnlyAMishapLeadsToIsDisturbed has a program whose fallback is broken.
func TestARequestThatOnlyAMishapLeadsToIsDisturbed(t *testing.T) {
	t.Parallel()
	conflict := Mishap{Target{"TransactWriteItems", "orders"}, 1, Conflict}
	program := &simulated{requests: func(p Plan) []Request {
		all := []Request{write("TransactWriteItems", "orders")}
		if slices.Contains(p, conflict) {
			all = append(all, write("UpdateItem", "orders")) // the fallback
		}
		return all
	}, fails: breaks(Plan{conflict, lost("UpdateItem", "orders", 1)})}
	r := explored(t, program, Settings{Runs: 25})
	if len(r.Findings) != 1 || len(r.Findings[0].Plan) != 2 {
		t.Fatalf("findings %v, want one of two mishaps", r.Findings)
	}
}

func TestAFlakyProgramIsToldApart(t *testing.T) {
	t.Parallel()
	program := &simulated{requests: always(write("PutItem", "orders")), fails: func(_ Plan, run int64) string {
		if run%10 == 5 {
			return "flaky"
		}
		return ""
	}}
	r := explored(t, program, Settings{Runs: 8})
	if len(r.Findings) != 0 || len(r.Flaky) == 0 {
		t.Errorf("%d findings, %d flaky; want 0 and some", len(r.Findings), len(r.Flaky))
	}
}

func TestAProgramThatFailsAloneIsNotExplored(t *testing.T) {
	t.Parallel()
	for _, failing := range []int64{1, 2} {
		program := &simulated{requests: always(write("PutItem", "orders")), fails: func(_ Plan, run int64) string {
			if run == failing {
				return "exit status 1"
			}
			return ""
		}}
		_, err := Search(t.Context(), program, Settings{Runs: 8})
		if e, ok := errors.AsType[*FailsAloneError](err); !ok || e.Run != int(failing) {
			t.Errorf("error %v, want that run %d fails", err, failing)
		}
	}
}

func TestAProgramWithoutRequestsIsNotExplored(t *testing.T) {
	t.Parallel()
	program := &simulated{requests: always(), fails: breaks(Plan{lost("none", "none", 1)})}
	if _, err := Search(t.Context(), program, Settings{}); !errors.Is(err, ErrNoRequests) {
		t.Errorf("error %v, want ErrNoRequests", err)
	}
}

// TestARestartHappensOnceToEachTarget has a program that survives everything. After two runs without mishaps, there are
// eleven plans of one mishap, and then random ones.
func TestARestartHappensOnceToEachTarget(t *testing.T) {
	t.Parallel()
	for _, runs := range []int{2 + 11, 300} {
		program := &simulated{requests: always(write("UpdateItem", "stock"), write("UpdateItem", "stock")),
			fails: func(p Plan, _ int64) string {
				restarts := slices.DeleteFunc(slices.Clone(p), func(m Mishap) bool { return m.Do != Restart })
				if len(restarts) > 1 || len(restarts) == 1 && restarts[0].Nth > 1 && runs == 13 {
					t.Errorf("%d runs: plan %q", runs, p.Text())
				}
				return ""
			}}
		if v := explored(t, program, Settings{Runs: runs}).Matrix()[0].Verdicts[Restart]; v != Survived {
			t.Errorf("%d runs: verdict %q, want survived", runs, v)
		}
	}
}

// TestARestartIsNoFindingBesideALostResponse has a program that a lost response to one of its writes breaks: a restart
// after it, which loses the response too, says nothing new.
func TestARestartIsNoFindingBesideALostResponse(t *testing.T) {
	t.Parallel()
	program := &simulated{requests: always(write("PutItem", "orders"), write("UpdateItem", "stock")),
		fails: func(p Plan, _ int64) string {
			if p.withLostResponses().contains(Plan{lost("PutItem", "orders", 1)}) {
				return "counted twice"
			}
			return ""
		}}
	r := explored(t, program, Settings{Runs: 300})
	if len(r.Findings) != 1 || r.Findings[0].Plan.Text() != "cut-after-commit PutItem 1 orders" {
		t.Errorf("%d findings, the first %q", len(r.Findings), r.Findings[0].Plan.Text())
	}
	for _, row := range r.Matrix() {
		if want := map[string]Verdict{"stock": Survived}[row.Table]; row.Verdicts[Restart] != want {
			t.Errorf("restarts of %s: %q, want %q", row.Target, row.Verdicts[Restart], want)
		}
	}
}

// TestCredentialsExpireOnlyIfTheSettingsSaySo lists the kinds that are tried.
func TestCredentialsExpireOnlyIfTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kinds []Kind
		want  Verdict
	}{{nil, ""}, {[]Kind{ExpiredToken}, Survived}} {
		program := &simulated{requests: always(write("PutItem", "orders")), fails: breaks(Plan{lost("none", "none", 1)})}
		r := explored(t, program, Settings{Runs: 50, Kinds: c.kinds})
		if got := r.Matrix()[0].Verdicts[ExpiredToken]; got != c.want {
			t.Errorf("kinds %v: %q, want %q", c.kinds, got, c.want)
		}
	}
}

func TestOnlyTheKindsOfTheSettingsAreTried(t *testing.T) {
	t.Parallel()
	var last Progress
	program := &simulated{requests: always(write("PutItem", "orders")), fails: breaks(Plan{lost("none", "none", 1)})}
	r := explored(t, program, Settings{Runs: 50, Kinds: []Kind{Throttle}, Progress: func(p Progress) { last = p }})
	if rows := r.Matrix(); len(rows) != 1 || fmt.Sprint(rows[0].Verdicts) != "map[throttle:survived]" {
		t.Errorf("%d rows, the first %v; want one, with throttle only", len(rows), rows[0].Verdicts)
	}
	if want := (Progress{Runs: r.Runs, Tried: 1, Known: 1}); last != want {
		t.Errorf("progress %+v, want %+v", last, want)
	}
	if _, err := Search(t.Context(), program, Settings{Kinds: []Kind{"hold"}}); err == nil {
		t.Error("an unknown kind is explored")
	}
}

// TestTheSameSeedTriesTheSamePlans runs a search with different numbers of parallel runs.
func TestTheSameSeedTriesTheSamePlans(t *testing.T) {
	t.Parallel()
	search := func(parallel int) string {
		program := &simulated{requests: always(write("PutItem", "orders"), write("UpdateItem", "stock")),
			fails: breaks(Plan{lost("PutItem", "orders", 1), lost("UpdateItem", "stock", 1)})}
		s := &Settings{Runs: 200, Seed: 3, Parallel: parallel}
		r, err := Search(t.Context(), program, *s)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Runs, r.order, r.cells, len(r.Findings))
	}
	if one, many := search(1), search(8); one != many {
		t.Errorf("one run at a time: %s\neight: %s", one, many)
	}
}

func TestTheErrorOfAProgramEndsTheSearch(t *testing.T) {
	t.Parallel()
	broken := errors.New("the command cannot be started")
	_, err := Search(t.Context(), failingProgram{broken}, Settings{})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type failingProgram struct{ err error }

func (p failingProgram) Run(context.Context, Plan) (*Outcome, error) { return nil, p.err }

func TestPlansAreReadBack(t *testing.T) {
	t.Parallel()
	for _, p := range []Plan{
		{lost("UpdateItem", "orders", 2)},
		{{Target{"GetRecords", ""}, 1, Throttle}, {Target{"CreateDocument", "a, b%"}, 12, Stale}},
	} {
		if got, err := ParsePlan(p.Text()); err != nil || !slices.Equal(got, p) {
			t.Errorf("%q is read as %v, %v", p.Text(), got, err)
		}
	}
}

func TestInvalidPlansAreRefused(t *testing.T) {
	t.Parallel()
	for text, remedy := range map[string]string{
		"":                                     "write KIND OPERATION NTH TABLE",
		"cut-after-commit UpdateItem":          "write KIND OPERATION NTH TABLE",
		"explode UpdateItem 1 orders":          "use one of",
		"throttle UpdateItem 0 orders":         "count from 1",
		"throttle UpdateItem 1 orders, ":       "write KIND OPERATION NTH TABLE",
		"throttle UpdateItem 1 %zz":            "as in a URL",
		"throttle UpdateItem 99999999999999 t": "",
	} {
		if _, err := ParsePlan(text); (err == nil) != (remedy == "") || err != nil && !strings.Contains(err.Error(), remedy) {
			t.Errorf("%q: %v, want %q", text, err, remedy)
		}
	}
}

func FuzzParsePlan(f *testing.F) {
	f.Add("cut-after-commit UpdateItem 2 orders, throttle PutItem 1 a%2Cb")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePlan(text)
		if err != nil {
			return
		}
		if again, err := ParsePlan(p.Text()); err != nil || !slices.Equal(again, p) {
			t.Errorf("%q is read as %v, and that as %v, %v", text, p, again, err)
		}
	})
}

func TestOrdinals(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th",
		21: "21st", 111: "111th", 122: "122nd"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestTheSearchEndsAfterSoManyFindings has a program that every mishap breaks.
func TestTheSearchEndsAfterSoManyFindings(t *testing.T) {
	t.Parallel()
	program := &simulated{requests: always(write("PutItem", "orders")), fails: func(p Plan, _ int64) string {
		if len(p) > 0 {
			return "broken"
		}
		return ""
	}}
	if r := explored(t, program, Settings{Runs: 100, Findings: 2}); len(r.Findings) != 2 {
		t.Errorf("%d findings, want 2", len(r.Findings))
	}
}

// TestARequestAfterTheFifthIsDisturbedAlone has a program that only a mishap at its ninth request breaks.
func TestARequestAfterTheFifthIsDisturbedAlone(t *testing.T) {
	t.Parallel()
	var all []Request
	for range 9 {
		all = append(all, write("PutItem", "orders"))
	}
	ninth := Plan{lost("PutItem", "orders", 9)}
	program := &simulated{requests: always(all...), fails: func(p Plan, _ int64) string {
		if len(p) == 1 && p.contains(ninth) {
			return "broken"
		}
		return ""
	}}
	if r := explored(t, program, Settings{Runs: 1000}); len(r.Findings) != 1 {
		t.Errorf("%d findings, want 1", len(r.Findings))
	}
}
