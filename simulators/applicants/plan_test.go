package applicants

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlanIsAFunctionOfSeedAndNumber(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(NewPlan(1, 42, 3), NewPlan(1, 42, 3)); diff != "" {
		t.Error("one seed and number gave two applicants", diff)
	}
	if NewPlan(1, 42, 3).Email == NewPlan(2, 42, 3).Email || NewPlan(1, 42, 3).Email == NewPlan(1, 43, 3).Email {
		t.Error("two applicants are one")
	}
}

// For any seed, every verdict occurs, keys are used once, files match their type, and an applicant who must apply again
// does.
func TestPlansArePlausible(t *testing.T) {
	t.Parallel()
	seen, keys := map[Verdict]int{}, map[string]bool{}
	for n := range 500 {
		p := NewPlan(3, n, 3)
		for i, a := range p.Applications {
			seen[a.Verdict]++
			last := i == len(p.Applications)-1
			if keys[a.Key] || a.At%step != 0 || !last && (a.Verdict != Resubmission || p.Applications[i+1].At <= a.At) {
				t.Fatalf("applicant %d: %+v", n, a)
			}
			keys[a.Key] = true
			for _, f := range a.Files {
				if got := http.DetectContentType(f.Content); got != f.MimeType {
					t.Errorf("%s is %s, not %s", f.Side, got, f.MimeType)
				}
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("not every verdict: %v", seen)
	}
}
