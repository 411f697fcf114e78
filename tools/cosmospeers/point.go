package main

import (
	"fmt"
	"net/http"
	"time"
)

const (
	itemCount  = 10_000 // number of items to read
	partitions = 100
)

// measurePoint measures start time, point reads and creates of all servers, in turns.
func (o *options) measurePoint(r *report) error {
	peers := o.peers()
	stop, err := startAll(peers)
	if err != nil {
		return err
	}
	defer stop()
	for _, p := range peers {
		r.addRow("start", p.name, float64(p.startTime.Microseconds())/1000, "ms")
		if err := p.createContainer(); err != nil {
			return err
		}
		if err := p.fill(itemCount, partitions); err != nil {
			return err
		}
	}
	reads, err := o.measureInTurns(peers, http.StatusOK, readWorkload)
	if err != nil {
		return err
	}
	creates, err := o.measureInTurns(peers, http.StatusCreated, createWorkload)
	if err != nil {
		return err
	}
	r.compare("point read", peers, reads)
	r.compare("create", peers, creates)
	return nil
}

// workload returns the requests of one round for a server: a function of the worker's number and how many requests that
// worker has sent.
type workload func(p *peer, round int) func(worker, i int) []byte

// readWorkload reads the existing items. Its requests are signed before the measured window begins.
func readWorkload(p *peer, _ int) func(worker, i int) []byte {
	requests := make([][]byte, itemCount)
	for i := range requests {
		requests[i] = p.readRequest(fmt.Sprintf("i%d", i), fmt.Sprintf("p%d", i%partitions))
	}
	return func(worker, i int) []byte { return requests[(worker*7919+i*31)%itemCount] }
}

func createWorkload(p *peer, round int) func(worker, i int) []byte {
	return func(worker, i int) []byte {
		return p.createRequest(fmt.Sprintf("r%d-%d-%d", round, worker, i), fmt.Sprintf("p%d", i%partitions), i)
	}
}

// result is a server's median over the rounds.
type result struct {
	perSecond float64
	cpu       time.Duration
}

// measureInTurns measures every server in every round, starting with a different one each time.
func (o *options) measureInTurns(peers []*peer, want int, w workload) (map[string]result, error) {
	rates, costs := map[string][]float64{}, map[string][]float64{}
	for round := range o.rounds + 1 {
		for i := range peers {
			p := peers[(i+round)%len(peers)]
			perSecond, cpu, err := p.rate(o.window, want, w(p, round))
			if err != nil {
				return nil, err
			}
			if round > 0 { // the first round warms up
				rates[p.name] = append(rates[p.name], perSecond)
				costs[p.name] = append(costs[p.name], float64(cpu))
			}
		}
	}
	results := map[string]result{}
	for name := range rates {
		results[name] = result{perSecond: median(rates[name]), cpu: time.Duration(median(costs[name]))}
	}
	return results, nil
}
