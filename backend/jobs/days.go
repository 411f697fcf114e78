package jobs

import (
	"context"
	"fmt"
	"time"
)

// Days returns a job that processes one day after another, each in a segment of one step. The days are consecutive, in
// the form 2006-01-02; a resumed run keeps the days that it started with. process calls renew before each write,
// because a day may take longer than a lease. The job has no dry run.
func Days(name string, days []string,
	process func(ctx context.Context, day string, renew Renew) (map[string]int64, error)) Job {
	job := Job{Name: name, Segments: len(days)}
	if len(days) > 0 {
		job.Parameters = map[string]string{"from": days[0]}
	}
	job.Step = func(ctx context.Context, at StepInput) (StepResult, error) {
		from, err := time.Parse(time.DateOnly, at.Parameters["from"])
		if err != nil {
			return StepResult{}, fmt.Errorf("the run has no valid start day: restart it (%w)", err)
		}
		counts, err := process(ctx, from.AddDate(0, 0, at.Segment).Format(time.DateOnly), at.Renew)
		return StepResult{Counts: counts}, err
	}
	return job
}
