package item

import "crypto/md5"

// Hash hashes a partition key as the service does, so that a Scan has the service's order and segments. It is the first
// 4 bytes of the MD5 of "Outliers" and the key. (Recorded in dynalite, from 2013.)
//
// A partition key of several attributes is hashed in the form of its store key, which no other one has. How the service
// hashes it is not known.
func Hash(partitionKey ...Value) [4]byte {
	var buf [256]byte
	in := append(buf[:0], "Outliers"...)
	switch v := partitionKey[0]; {
	case len(partitionKey) > 1:
		for _, v := range partitionKey {
			in = AppendKey(in, v)
		}
	case v.Type() == Number:
		in = appendHashed(in, canonicalDecimal(v.Bytes()))
	default:
		in = append(in, v.Bytes()...)
	}
	sum := md5.Sum(in)
	return [4]byte(sum[:4])
}

// appendHashed appends a number in the form that the service hashes: an exponent of base 100, which is -64 for 0.01,
// then two digits per byte, as 1 to 100. For negative numbers the bytes are inverted, and 102 is appended unless there
// are 20 bytes of digits. Zero is one byte.
func appendHashed(dst []byte, d decimal) []byte {
	if len(d.digits) == 0 {
		return append(dst, 0x80)
	}
	odd := d.point & 1 // then a zero precedes the digits
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

// digit returns digit i, 0 outside of the digits.
func (d decimal) digit(i int) byte {
	if i < 0 || i >= len(d.digits) {
		return 0
	}
	return d.digits[i] - '0'
}
