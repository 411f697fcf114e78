package continuation

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func codec() *Codec { return NewCodec([]byte("a key of the account")) }

func token() *Token {
	return &Token{Owner: "AAAAAoAAAAE=", Query: [8]byte{1, 2, 3}, Pending: []Part{
		{EPKRange: doc.EPKRange{High: doc.EPK{0x1F}}, State: []byte("state")},
		{EPKRange: doc.EPKRange{Low: doc.EPK{0x1F}, High: doc.MaxEPK()}},
	}}
}

func TestTokensRoundTrip(t *testing.T) {
	t.Parallel()
	c := codec()
	text := c.Encode(token())
	read, err := c.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if c.Encode(read) != text || len(read.Pending) != 2 || string(read.Pending[0].State) != "state" ||
		!read.SameQuery(token()) {
		t.Errorf("%+v", read)
	}
}

func TestForgedTokensAreRejected(t *testing.T) {
	t.Parallel()
	c := codec()
	text := c.Encode(token())
	forged := []string{"x", "!", strings.Repeat("A", 100), strings.Repeat("A", maxTokenLength+4),
		`{"token":"-RID:~x#RT:1","range":{"min":"","max":"FF"}}`,
		NewCodec([]byte("another key")).Encode(token()), text + "AAAA"}
	for i := range len(text) {
		forged = append(forged, text[:i], text[:i]+string(text[i]^1)+text[i+1:])
	}
	for _, f := range forged {
		if read, err := c.Decode(f); err == nil && c.Encode(read) != text {
			t.Errorf("%q was taken: %+v", f, read)
		} else if err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", f, err)
		}
	}
}

// FuzzDecode signs the fuzzer's inputs, so that they pass the check of the signature.
func FuzzDecode(f *testing.F) {
	c := codec()
	b, err := base64.RawURLEncoding.DecodeString(c.Encode(token()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[:len(b)-macSize])
	f.Add([]byte{version})
	f.Fuzz(func(t *testing.T, b []byte) {
		read, err := c.Decode(base64.RawURLEncoding.EncodeToString(append(slices.Clone(b), c.mac(b)...)))
		if err != nil {
			return
		}
		again, err := c.Decode(c.Encode(read))
		if err != nil || len(again.Pending) != len(read.Pending) {
			t.Fatalf("%+v %v", again, err)
		}
	})
}
