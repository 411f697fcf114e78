package item

import (
	"bytes"
	"encoding/base64"
)

// KeyLen returns the length of the first value in key, which AppendKey wrote for a value of type t. If the end of the
// value is missing, it returns the length of key.
func KeyLen(key []byte, t Type) int {
	if t == Number {
		return numberKeyLen(key)
	}
	for at := 0; ; {
		i := bytes.IndexByte(key[at:], 0)
		if i < 0 || at+i+1 >= len(key) {
			return len(key)
		}
		if at += i + 2; key[at-1] == 0x01 {
			return at
		}
	}
}

func numberKeyLen(key []byte) int {
	if len(key) < 2 || key[0] == keyZero {
		return min(len(key), 1)
	}
	end := byte(0)
	if key[0] == keyNegative {
		end = 0xff
	}
	if i := bytes.IndexByte(key[2:], end); i >= 0 { // after the exponent, which may be any byte
		return 2 + i + 1
	}
	return len(key)
}

// KeyText returns the value in a key that AppendKey wrote, in readable form: text as it is, numbers in decimal, binary
// in base64. If the end of the key is missing, it returns what there is.
func KeyText(key []byte, t Type) string {
	if t == Number {
		return numberKeyText(key)
	}
	payload := bytes.TrimSuffix(key, []byte{0x00, 0x01})
	payload = bytes.ReplaceAll(payload, []byte{0x00, 0xff}, []byte{0x00})
	if t == Binary {
		return base64.StdEncoding.EncodeToString(payload)
	}
	return string(bytes.ToValidUTF8(payload, []byte("\uFFFD")))
}

func numberKeyText(key []byte) string {
	if len(key) < 2 || key[0] == keyZero {
		return "0"
	}
	d := decimal{negative: key[0] == keyNegative}
	magnitude := bytes.Clone(key[1:])
	if d.negative {
		for i := range magnitude {
			magnitude[i] = ^magnitude[i]
		}
	}
	d.point = int(magnitude[0]) + minExponent + 1
	for _, pair := range magnitude[1:] {
		if pair == 0 || pair > 100 {
			break
		}
		d.digits = append(d.digits, '0'+(pair-1)/10, '0'+(pair-1)%10)
	}
	d.digits = bytes.TrimRight(d.digits, "0")
	return string(d.append(nil))
}
