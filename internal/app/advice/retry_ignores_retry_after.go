package advice

import (
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// retryAfter finds requests to Cosmos DB that are sent again before the time that the response with status 429 names:
// they are refused again, and prolong the overload.
var retryAfter = Rule{
	ID:     "retry-ignores-retry-after",
	Title:  "throttled requests that are sent again too soon",
	Source: "https://learn.microsoft.com/en-us/rest/api/cosmos-db/http-status-codes-for-cosmosdb",
	watch: func(*Review) watcher {
		return cosmosDB{&earlyRetries{throttled: map[string]*Request{}, of: map[string]*Finding{}}}
	},
}

const (
	fewEarlyRetries = 3
	maxThrottled    = 10000 // that are remembered
)

type earlyRetries struct {
	throttled map[string]*Request // by program, request and body
	of        map[string]*Finding // by container
}

func (e *earlyRetries) see(r *Request) {
	id := r.program() + "\x00" + r.Method + r.Path + "\x00" + r.partitionKey() + "\x00" +
		string(r.Entry.Body())
	if before := e.throttled[id]; before != nil {
		e.retry(r, before)
		delete(e.throttled, id)
	}
	if r.Status == 429 {
		if len(e.throttled) > maxThrottled {
			clear(e.throttled)
		}
		e.throttled[id] = r
	}
}

// retry notes a request that was throttled before, if it comes too soon.
func (e *earlyRetries) retry(r, before *Request) {
	millis, err := strconv.Atoi(before.AnswerHeaders["x-ms-retry-after-ms"])
	waited := r.Time.Sub(before.Time)
	if err != nil || waited >= time.Duration(millis)*time.Millisecond {
		return
	}
	name := r.container()
	if e.of[name] == nil {
		e.of[name] = &Finding{Table: name}
	}
	e.of[name].show(r, thousands.Sprintf("repeats #%d after %d ms instead of %d ms", before.N, waited.Milliseconds(), millis))
}

func (e *earlyRetries) conclude() []Finding {
	var all []Finding
	for _, t := range e.of {
		if t.Times < fewEarlyRetries {
			continue
		}
		f := *t
		f.Problem = thousands.Sprintf("%d throttled requests are sent again before the time in x-ms-retry-after-ms", f.Times)
		f.Remedy = "Wait for the milliseconds in the header x-ms-retry-after-ms, or leave retries to the SDK, which does:\n" +
			"azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: 9}}}"
		all = append(all, f)
	}
	return all
}
