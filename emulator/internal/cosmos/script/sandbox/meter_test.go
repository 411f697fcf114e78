package sandbox

import (
	"testing"

	quickjs "github.com/aperturerobotics/go-quickjs-wasi-reactor"
)

func TestBrokenModulesAreRefused(t *testing.T) {
	t.Parallel()
	module := quickjs.QuickJSWASM
	for _, n := range []int{0, 4, 8, 9, 100, 10_000, len(module) / 2} {
		if _, _, err := meter(module[:n], tickImport); err == nil {
			t.Errorf("%d bytes of a module were metered", n)
		}
	}
	if _, _, err := meter(module, "none"); err == nil {
		t.Error("a module without the tick was metered")
	}
}

func FuzzMeter(f *testing.F) {
	f.Add([]byte(
		"\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x05\x03\x01\x00\x01\x0a\x04\x01\x02\x00\x0b"))
	f.Add(quickjs.QuickJSWASM[:4096])
	f.Fuzz(func(_ *testing.T, module []byte) { _, _, _ = meter(module, tickImport) })
}

func TestSignedNumbersOfWebAssembly(t *testing.T) {
	t.Parallel()
	for n, want := range map[int32]string{0: "\x00", 63: "\x3f", 64: "\xc0\x00", -1: "\x7f", -64: "\x40", -65: "\xbf\x7f",
		1 << 20: "\x80\x80\xc0\x00", -1 << 31: "\x80\x80\x80\x80\x78"} {
		if got := string(appendSigned(nil, n)); got != want {
			t.Errorf("%d: %x", n, got)
		}
	}
}
