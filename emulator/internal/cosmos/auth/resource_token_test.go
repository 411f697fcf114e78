package auth

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

func FuzzParseToken(f *testing.F) {
	keys := [][]byte{[]byte("key")}
	g := &grant{container: "AAAA", kind: wire.KindItem, id: "1", key: `["a"]`, write: true, expires: 1}
	good := strings.TrimPrefix(g.token(keys[0]), "type=resource&ver=1.0&sig=")
	f.Add(good)
	f.Add(";;")
	f.Fuzz(func(t *testing.T, text string) {
		read, ok := parseToken(keys, text)
		if ok && *read != *g {
			t.Errorf("%q was taken for %+v", text, read)
		}
	})
}
