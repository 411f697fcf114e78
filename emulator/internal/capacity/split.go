package capacity

import (
	"bytes"
	"slices"
)

// sample is a key that was read or written, one of many.
type sample struct {
	key        []byte
	collection int
}

const (
	maxSamples = 32
	fewSamples = 8 // too few to locate the load
)

// samplesEvery returns the units of a minute between two samples: such that the samples of a hot partition cover about
// its last half minute, and other partitions keep none.
func samplesEvery() [2]float64 { return [2]float64{partitionReads, partitionWrites} }

func (p *partition) sample(c *Charge, op int) {
	p.nextSample[op] += samplesEvery()[op]
	if c.Collection == 0 {
		return
	}
	if len(p.samples) < maxSamples {
		p.samples = append(p.samples, sample{bytes.Clone(c.Key), c.Collection})
	} else {
		s := &p.samples[p.sampled%maxSamples]
		s.key, s.collection = append(s.key[:0], c.Key...), c.Collection
	}
	p.sampled++
}

// orderedSamples returns the samples, oldest first.
func (p *partition) orderedSamples() []sample {
	if len(p.samples) < maxSamples {
		return slices.Clone(p.samples)
	}
	at := p.sampled % maxSamples
	return slices.Concat(p.samples[at:], p.samples[:at])
}

// closeMinute ends a minute and reports whether the partition must be split for heat. next means that the next minute
// follows directly.
func (p *partition) closeMinute(next bool) bool {
	hot := p.units[read] >= heatShare*partitionReads*60 || p.units[write] >= heatShare*partitionWrites*60
	if p.hotFor++; !hot {
		p.hotFor = 0
	}
	split := p.hotFor >= heatMinutes
	if split || !next {
		p.hotFor = 0
	}
	p.units, p.throttled, p.nextSample = [2]float64{}, 0, samplesEvery()
	return split
}

// splitHot splits a partition where its load divides into halves, each of which then has a partition's maximum. A key
// with half of the load gets a partition of its own. It does nothing if a split would not help: if all the load is on
// one key, on a sort key that only rises, or on one item collection of a table with local secondary indexes. ("Scaling
// DynamoDB: How partitions, hot keys, and split for heat impact performance", parts 2 and 3: "split for heat cannot
// split within an item collection if there's an LSI present or if the split is determined to not be beneficial, such as
// when writing an ever-increasing sort key".)
func (r *Resource) splitHot(p *partition, now int64) {
	samples := p.orderedSamples()
	if len(samples) < fewSamples || rising(samples) {
		return
	}
	keys := make([][]byte, len(samples))
	for i, s := range samples {
		if keys[i] = s.key; r.config.LocalIndexes {
			keys[i] = s.key[:s.collection]
		}
	}
	slices.SortFunc(keys, bytes.Compare)
	if key := medianKey(keys); key != nil {
		r.isolate(key, now)
		return
	}
	middle := keys[len(keys)/2]
	if bytes.Equal(middle, keys[0]) {
		middle = prefixEnd(middle)
	}
	r.splitBefore(middle, now)
}

// isolate gives a key a partition of its own.
func (r *Resource) isolate(key []byte, now int64) {
	r.splitBefore(key, now)
	end := prefixEnd(key)
	if at := r.hi(r.index(key)); at == nil || bytes.Compare(end, at) < 0 {
		r.splitBefore(end, now)
	}
}

// rising reports whether the samples are of one item collection, each key greater than the one before.
func rising(samples []sample) bool {
	for i, s := range samples[1:] {
		before := samples[i]
		if !bytes.Equal(s.key[:s.collection], before.key[:before.collection]) || bytes.Compare(s.key, before.key) <= 0 {
			return false
		}
	}
	return true
}

// medianKey returns the key that makes up at least half of the sorted keys, nil if there is none.
func medianKey(sorted [][]byte) []byte {
	n := len(sorted)
	for i := 0; i+(n+1)/2 <= n; i++ {
		if bytes.Equal(sorted[i], sorted[i+(n+1)/2-1]) {
			return sorted[i]
		}
	}
	return nil
}

// prefixEnd returns the first key after all keys with a prefix.
func prefixEnd(key []byte) []byte {
	end := bytes.Clone(key)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return append(bytes.Clone(key), 0xff)
}
