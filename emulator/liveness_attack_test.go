package emulator_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"testing"
	"time"
)

// hostileCase is one kind of hostile request.
type hostileCase struct {
	name    string
	clients int // number of concurrent clients
	prepare func(*livenessTest)
	send    func(context.Context, *livenessTest) (status int, err error) // one request; 0: the connection was abandoned
}

// attack is the input of the attackers' process.
type attack struct {
	Case string
	At   endpoints
}

// outcome counts the results of the hostile requests.
type outcome struct {
	Statuses map[int]int // requests by status; 0: without a response
	Failed   int         // of those without a response: connections that were refused or broke
	Stuck    int         // requests that did not end within stuckAfter
}

// requests returns the number of requests.
func (o outcome) requests() (n int) {
	for _, of := range o.Statuses {
		n += of
	}
	return n
}

// startAttack starts the attackers of a case in a process of their own, with the lowest priority. They start to send
// when it returns.
func (a *livenessTest) startAttack(c hostileCase) *process {
	a.t.Helper()
	p := startRole(a.t, "attackers", true, attack{Case: c.name, At: a.at})
	var ready bool
	if err := p.answer.Decode(&ready); err != nil {
		a.t.Fatalf("the attackers did not start: %v", err)
	}
	return p
}

// endAttack ends the attackers after their current requests.
func endAttack(t *testing.T, p *process) (o outcome) {
	t.Helper()
	p.ask(t, "end", &o)
	return o
}

// attackUntilStopped sends the requests of a case until the next input.
func attackUntilStopped(input *json.Decoder) int {
	var task attack
	if input.Decode(&task) != nil {
		return 1
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		var end string
		_ = input.Decode(&end)
	}()
	for _, c := range hostileCases() {
		if c.name == task.Case {
			output := json.NewEncoder(os.Stdout)
			_ = output.Encode(true)
			_ = output.Encode(connect(task.At).attackFor(ctx, c))
			return 0
		}
	}
	return 1
}

// attackFor sends a case's requests until ctx is done, at least one for each client.
func (a *livenessTest) attackFor(ctx context.Context, c hostileCase) outcome {
	var mu sync.Mutex
	var clients sync.WaitGroup
	o := outcome{Statuses: map[int]int{}}
	for range c.clients {
		clients.Go(func() {
			for first := true; first || ctx.Err() == nil; first = false {
				began := time.Now()
				one, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckAfter)
				status, err := c.send(one, a)
				cancel()
				mu.Lock()
				o.count(status, err, time.Since(began))
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	return o
}

// count records how a hostile request ended.
func (o *outcome) count(status int, err error, took time.Duration) {
	o.Statuses[status]++
	if status == 0 && err != nil {
		o.Failed++
	}
	if errors.Is(err, context.DeadlineExceeded) || took >= stuckAfter {
		o.Stuck++
	}
}
