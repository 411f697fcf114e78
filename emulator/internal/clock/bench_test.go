package clock

import "testing"

// BenchmarkNow measures Now, which each request calls several times.
func BenchmarkNow(b *testing.B) {
	fast := Real()
	if err := fast.SetSpeed(1000); err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]*Clock{"real": Real(), "fast": fast, "frozen": Manual(start)} {
		b.Run(name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					c.Now()
				}
			})
		})
	}
}
