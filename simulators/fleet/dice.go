package fleet

import (
	"fmt"
	"math/rand/v2"
)

// What a roll is for; two purposes never share numbers.
const (
	forDevice = iota + 1
	forHalfDay
	forBoot
	forAnswer
	forWeather
	forNoise
	forFault
)

// mix turns the seed and whatever identifies a roll into 64 random bits (SplitMix64 over the parts).
func mix(parts ...uint64) uint64 {
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

// unit is mix as a number from 0 up to 1.
func unit(parts ...uint64) float64 { return float64(mix(parts...)>>11) / (1 << 53) }

// dice returns a source of rolls of its own for whatever the parts identify.
func dice(parts ...uint64) *rand.Rand {
	h := mix(parts...)
	return rand.New(rand.NewPCG(h, mix(h)))
}

// uuid is a UUID of version 4, variant RFC 4122, from 128 random bits.
func uuid(hi, lo uint64) string {
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(0b11<<62) | 0b10<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&0xffffffffffff)
}
