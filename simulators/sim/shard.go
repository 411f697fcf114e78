package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxShards is the maximum number of shards of a run.
const MaxShards = 1000

// Shard is one of several generators that send the requests of one run together. Shard k of n sends the requests whose
// numbers, counted from 0, have the remainder k-1 when divided by n, each when it is due in the run. It also
// simulates the participants, or the groups of participants, with these numbers. The zero value sends all requests.
type Shard struct {
	Number int `json:"number"` // from 1 to Of
	Of     int `json:"of"`     // number of shards
}

// ParseShard reads a shard written as NUMBER/OF, such as 3/8. Errors: the text is not of this form, or out of range.
func ParseShard(text string) (Shard, error) {
	number, of, found := strings.Cut(text, "/")
	k, errK := strconv.Atoi(number)
	n, errN := strconv.Atoi(of)
	if !found || errK != nil || errN != nil || n < 1 || n > MaxShards || k < 1 || k > n {
		return Shard{}, fmt.Errorf("%q is not a shard: use NUMBER/OF, such as 3/8, with at most %d shards", text, MaxShards)
	}
	return Shard{k, n}, nil
}

// String returns the form that ParseShard reads.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Number, s.Of) }

// Check returns an error if there are more shards than the groups that a simulation can be divided into; what says what
// is divided, such as "20 brewers".
func (s Shard) Check(groups int, what string) error {
	if s.Of <= groups || s.Of <= 1 {
		return nil
	}
	return fmt.Errorf("--shard %v: %s can be divided into %d shards at most: use fewer shards, or more of them", s, what,
		groups)
}

// InOrder returns the parts of all shards of one run in order of their numbers. shardOf returns the shard of a part,
// and what names the run in errors. Errors: a shard is missing or there twice.
func InOrder[T any](parts []T, shardOf func(T) Shard, what string) ([]T, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("no shards of %s", what)
	}
	of := shardOf(parts[0]).Of
	ordered, present := make([]T, of), make([]bool, of)
	for _, p := range parts {
		s := shardOf(p)
		switch {
		case s.Number < 1 || s.Number > of || s.Of != of:
			return nil, fmt.Errorf("shard %v of %s is damaged: run it again", s, what)
		case present[s.Number-1]:
			return nil, fmt.Errorf("shard %v of %s is there twice: name each file once", s, what)
		}
		ordered[s.Number-1], present[s.Number-1] = p, true
	}
	if i := slices.Index(present, false); i >= 0 {
		return nil, fmt.Errorf("shard %d/%d of %s is missing: wait for it, or name its file too", i+1, of, what)
	}
	return ordered, nil
}

// Leads reports whether the shard prepares the run for the others: the first one does.
func (s Shard) Leads() bool { return s.Number <= 1 }

// Arrival returns the number in the run of the shard's nth request. Both count from 0.
func (s Shard) Arrival(n uint64) uint64 {
	if s.Of <= 1 {
		return n
	}
	return n*uint64(s.Of) + uint64(s.Number-1)
}

// Sends reports whether the shard sends the request with this number in the run, counted from 0.
func (s Shard) Sends(number uint64) bool {
	return s.Of <= 1 || number%uint64(s.Of) == uint64(s.Number-1)
}

// Part returns the shard's part of a total, at least 1. The parts of all shards add up to the total unless it is less
// than the number of shards.
func (s Shard) Part(total int) int {
	if s.Of <= 1 {
		return total
	}
	part := total / s.Of
	if s.Number <= total%s.Of {
		part++
	}
	return max(part, 1)
}
