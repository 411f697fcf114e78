package emulatorcmd

import "testing"

func TestMemorySizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"512MiB": 512 << 20, "1GiB": 1 << 30, "262144KiB": 256 << 20, "255MiB": 0,
		"512MB": 0, "512": 0, "-1GiB": 0, "9000000000GiB": 0, "MiB": 0, "": 0} {
		var m memorySize
		if err := m.Set(text); int64(m) != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d bytes, %v; want %d", text, m, err, want)
		}
		if m == 0 {
			continue
		}
		var again memorySize
		if err := again.Set(m.String()); err != nil || again != m {
			t.Errorf("%q: its text %q is read as %d bytes, %v", text, m.String(), again, err)
		}
	}
}
