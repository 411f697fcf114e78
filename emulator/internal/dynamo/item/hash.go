package item

import "crypto/md5"

// Hash spreads partition keys as the service does, which gives a Scan the service's own order and its segments
// the service's own bounds: it is the beginning of the MD5 of "Outliers" and the key. (Recorded in dynalite, 2013
// on.)
func Hash(partitionKey Value) [4]byte {
	var buf [256]byte
	in := append(buf[:0], "Outliers"...)
	if partitionKey.Type() == Number {
		in = appendHashed(in, canonicalDecimal(partitionKey.Bytes()))
	} else {
		in = append(in, partitionKey.Bytes()...)
	}
	sum := md5.Sum(in)
	return [4]byte(sum[:4])
}

// appendHashed appends a number as the service hashes it: an exponent of base 100, from -64 for 0.01, and two
// digits a byte, from 1 to 100; below zero all is turned round, and 102 ends it unless it has 20 bytes of digits
// already. Zero is one byte.
func appendHashed(dst []byte, d decimal) []byte {
	if len(d.digits) == 0 {
		return append(dst, 0x80)
	}
	odd := d.point & 1 // a zero goes before the digits
	exponent := byte((d.point+odd)/2 - 64)
	if d.negative {
		exponent = ^exponent
	}
	dst = append(dst, exponent)
	start := len(dst)
	for i := -odd; i < len(d.digits); i += 2 {
		pair := 10*d.digit(i) + d.digit(i+1)
		if d.negative {
			dst = append(dst, 101-pair)
		} else {
			dst = append(dst, pair+1)
		}
	}
	if d.negative && len(dst)-start < 20 {
		dst = append(dst, 102)
	}
	return dst
}

// digit is the value of digit i, 0 outside.
func (d decimal) digit(i int) byte {
	if i < 0 || i >= len(d.digits) {
		return 0
	}
	return d.digits[i] - '0'
}
