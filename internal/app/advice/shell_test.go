package advice

import (
	"strings"
	"testing"
)

func TestCommandsQuoteNamesOfContainers(t *testing.T) {
	t.Parallel()
	got := (&indexing{}).remedy(&Container{Name: "my shop/it's; rm x", Indexing: map[string]any{}})
	if want := `--database-name 'my shop' --name 'it'\''s; rm x' --idx '{`; !strings.Contains(got, want) {
		t.Errorf("%s lacks %s", got, want)
	}
}
