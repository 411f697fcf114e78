// Package random is the source of the emulator's ids, chances and delays: pseudo-random streams from a seed.
package random

import "sync/atomic"

// Stream is a pseudo-random stream (SplitMix64), cheap enough for an id in every response. It is safe for concurrent
// use.
type Stream struct{ state atomic.Uint64 }

// Seed starts the stream of a seed.
func (s *Stream) Seed(seed uint64) { s.state.Store(seed) }

// State returns the seed of the rest of the stream.
func (s *Stream) State() uint64 { return s.state.Load() }

// Next returns the next number.
func (s *Stream) Next() uint64 { return Mix(s.state.Add(Step)) }

// Step is the difference between successive states of a stream.
const Step = 0x9e3779b97f4a7c15

// Mix returns the number for a state, as Next does, for callers that keep the state elsewhere.
func Mix(state uint64) uint64 {
	z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
