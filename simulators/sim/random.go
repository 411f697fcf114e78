package sim

import (
	"fmt"
	"math/rand/v2"
)

// Mix returns 64 random bits for a seed and what identifies a random draw (SplitMix64 over the parts).
func Mix(parts ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h ^= p
		h += 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// Float64 returns Mix as a number in [0, 1).
func Float64(parts ...uint64) float64 { return float64(Mix(parts...)>>11) / (1 << 53) }

// NewRand returns a source of random numbers of its own for what the parts identify.
func NewRand(parts ...uint64) *rand.Rand {
	h := Mix(parts...)
	return rand.New(rand.NewPCG(h, Mix(h)))
}

// UUID returns a version 4 UUID of the RFC 4122 variant, made of 128 random bits.
func UUID(hi, lo uint64) string {
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(0b11<<62) | 0b10<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&0xffffffffffff)
}

// Pick returns one of the choices, with equal probability. REQUIRES: there is one.
func Pick[T any](r *rand.Rand, choices []T) T { return choices[r.IntN(len(choices))] }
