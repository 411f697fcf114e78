package targets

import (
	"errors"
	"fmt"
	"testing"
)

// TestPortThatIsTaken starts a program again while another process has taken its port, but not after other failures.
func TestPortThatIsTaken(t *testing.T) {
	t.Parallel()
	broken := errors.New("no memory")
	for _, c := range []struct {
		name   string
		taken  int // starts that find the port taken
		last   error
		starts int
		want   error
	}{
		{"free", 0, nil, 1, nil},
		{"taken twice", 2, nil, 3, nil},
		{"always taken", portTries, nil, portTries, errPortTaken},
		{"another failure", 1, broken, 2, broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			starts, made := 0, &Target{}
			got, err := onFreePort(func(port int) (*Target, error) {
				if starts++; starts <= c.taken {
					return nil, fmt.Errorf("port %d: %w", port, errPortTaken)
				}
				return made, c.last
			})
			if starts != c.starts || !errors.Is(err, c.want) || c.want == nil && got != made {
				t.Errorf("%d starts, %v", starts, err)
			}
		})
	}
}
