package targets

import (
	"slices"
	"testing"
)

func TestContainerOptionsKeepTheImagesCommand(t *testing.T) {
	t.Parallel()
	inMemory := []string{"-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb"}
	for _, c := range []struct {
		image, repository, tag string
		cmd                    []string
	}{
		{"", "amazon/dynamodb-local", "latest", inMemory},
		{"mirror.example:5000/amazon/dynamodb-local:3.3.1", "mirror.example:5000/amazon/dynamodb-local", "3.3.1", inMemory},
		{"tabletop-db/tabletop:ci", "tabletop-db/tabletop", "ci", nil},
		{"mirror.example:5000/tabletop", "mirror.example:5000/tabletop", "latest", nil},
	} {
		got := containerOptions(Options{Image: c.image})
		if got.Repository != c.repository || got.Tag != c.tag || !slices.Equal(got.Cmd, c.cmd) {
			t.Errorf("%q: %s %s %q", c.image, got.Repository, got.Tag, got.Cmd)
		}
	}
}
