package jobs

import (
	"context"
	"fmt"
	"time"
)

// Days is a job that does one day after the other, each a segment of one step. The days follow each other and are
// written 2006-01-02; a run that goes on keeps those that it began with. The job cannot be run dry.
func Days(name string, days []string, do func(ctx context.Context, day string) (map[string]int64, error)) Job {
	job := Job{Name: name, Segments: len(days)}
	if len(days) > 0 {
		job.Parameters = map[string]string{"from": days[0]}
	}
	job.Step = func(ctx context.Context, at Place) (Step, error) {
		from, err := time.Parse(time.DateOnly, at.Parameters["from"])
		if err != nil {
			return Step{}, fmt.Errorf("the run does not say which days it is of: begin it anew (%w)", err)
		}
		counts, err := do(ctx, from.AddDate(0, 0, at.Segment).Format(time.DateOnly))
		return Step{Counts: counts}, err
	}
	return job
}
