package process

import (
	"io"
	"sync"
)

// maxOutput is the number of bytes of a run's output that are kept: the last ones.
const maxOutput = 16 << 10

// tail keeps the end of an output. It is safe for concurrent use.
type tail struct {
	also io.Writer // where the output goes too; nil: nowhere

	mu   sync.Mutex
	kept []byte
}

// Write implements io.Writer. It never fails, so that the process is never blocked by its output.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.also != nil {
		_, _ = t.also.Write(b)
	}
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - maxOutput; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
