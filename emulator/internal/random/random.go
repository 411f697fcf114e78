// Package random is where the emulator's ids, dice and delays come from: streams of numbers that a seed decides.
package random

import "sync/atomic"

// Stream is a stream of numbers from a seed (SplitMix64), cheap enough for an id in every answer and safe for
// concurrent use.
type Stream struct{ state atomic.Uint64 }

// Seed begins the stream of a seed.
func (s *Stream) Seed(seed uint64) { s.state.Store(seed) }

// State is the seed of the rest of the stream.
func (s *Stream) State() uint64 { return s.state.Load() }

// Next is the next number.
func (s *Stream) Next() uint64 { return Mix(s.state.Add(Step)) }

// Step is how far the state of a stream moves from one number to the next.
const Step = 0x9e3779b97f4a7c15

// Mix is the number of a state: what Next is made of, for who keeps a state otherwise.
func Mix(state uint64) uint64 {
	z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
