package steps

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/smithy-go"
)

func (w *World) raceSteps() Group {
	return Group{Title: "Races",
		Intro: "The callers run concurrently. {caller} is the number of each, from 1. The steps about *them* also apply to requests that were sent one after another, and to a step of your own that calls World.Race.",
		Steps: []Step{
			{`^(\d+) callers at once send an? ([A-Z]\w+ of .+)$`,
				w.race, `20 callers at once send a PutItem of "seats" with {"id": "1A", "by": "caller {caller}"}, only if "attribute_not_exists(id)"`,
				"Each caller sends it once."},
			{`^exactly (one|\d+) (?:of them )?succeeds?$`, func(n string) error {
				return w.racesEnded(n, "")
			}, `exactly one of them succeeds`, "One request succeeded; the others failed for any reason."},
			{`^exactly (one|\d+) (?:of them )?succeeds?, and the others are refused with (\w+)$`, w.racesEnded,
				`exactly one of them succeeds, and the others are refused with ConditionalCheckFailedException`,
				"One request succeeded, and each of the others failed with this exception."},
			{`^all of them succeed$`, func() error {
				return errors.Join(w.Raced...)
			}, `all of them succeed`, "All requests succeeded."},
			{`^(\d+) of them are refused with (\w+)$`, w.refusedTimes, `2 of them are refused with ThrottlingException`,
				"So many failed with this exception, and the others succeeded."},
		}}
}

// Race calls f for the given number of callers in parallel, numbered from 1, and keeps the results for the steps about
// races. It returns when all calls have returned.
func (w *World) Race(ctx context.Context, callers int, f func(ctx context.Context, caller int) error) {
	all := make([]error, callers)
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range callers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			all[i] = f(ctx, i+1)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	w.Raced = all
}

func (w *World) race(ctx context.Context, callers int, text string) error {
	requests := make([]*request, callers)
	for i := range requests {
		var err error
		if requests[i], err = w.request(strings.ReplaceAll(text, "{caller}", strconv.Itoa(i+1))); err != nil {
			return err
		}
	}
	unfit := make([]error, callers)
	w.Race(ctx, callers, func(ctx context.Context, caller int) error {
		reply, err := requests[caller-1].send(ctx, w.Once)
		unfit[caller-1] = err
		return reply.Err
	})
	return errors.Join(unfit...)
}

// racesEnded checks how many requests succeeded, and the error code of the others; an empty code matches any error.
func (w *World) racesEnded(count, code string) error {
	want := Count(count)
	if count == "one" {
		want = 1
	}
	succeeded, refused := 0, map[string]int{}
	for _, err := range w.Raced {
		if err == nil {
			succeeded++
		} else {
			refused[errorCode(err)]++
		}
	}
	if succeeded != want || code != "" && refused[code] != len(w.Raced)-want {
		return fmt.Errorf("%d succeeded, and refused were %v", succeeded, refused)
	}
	return nil
}

func (w *World) refusedTimes(times int, code string) error {
	return w.racesEnded(strconv.Itoa(len(w.Raced)-times), code)
}

// errorCode returns the name of the service's exception, or the text of another error.
func errorCode(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return err.Error()
}
