package targets_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/targets"
)

func TestParseReadsWhatStringWrites(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"embedded", "dynamodb-local", "aws", "url=http://127.0.0.1:8000",
		"alternator=http://127.0.0.1:8000",
		"cosmos=https://127.0.0.1:8081", "azure"} {
		spec, err := targets.Parse(name)
		if err != nil || spec.String() != name {
			t.Errorf("Parse(%q) = %q, %v", name, spec, err)
		}
	}
}

// TestTargetNames checks that targets have the names of their reports before they are open.
func TestTargetNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ target, image, want string }{
		{"", "", "embedded"}, {"url=http://127.0.0.1:8000", "", "url=http://127.0.0.1:8000"},
		{"dynamodb-local", "", "dynamodb-local"}, {"dynamodb-local", "amazon/dynamodb-local:2.5", "dynamodb-local"},
		{"dynamodb-local", "host:5000/other", "image=host:5000/other:latest"}, {"aws", "other", "aws"},
	} {
		spec, err := targets.Parse(c.target)
		if got := spec.TargetName(targets.Options{Image: c.image}); err != nil || got != c.want {
			t.Errorf("%s, image %s: %s, %v, want %s", c.target, c.image, got, err, c.want)
		}
	}
}

func TestParseRefusesWithARemedy(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dynamo", "url=", "url=localhost:8000", "url=ftp://host", "alternator=",
		"aws=http://a", "Embedded"} {
		_, err := targets.Parse(name)
		if err == nil || !strings.Contains(err.Error(), "http://HOST:PORT") {
			t.Errorf("Parse(%q): %v, want an error that shows how to write it", name, err)
		}
	}
}

func TestAWSIsRefusedUnlessSpendingIsAgreed(t *testing.T) {
	t.Parallel()
	spec := targets.Spec{Kind: targets.AWS}
	_, err := spec.Open(context.Background(), targets.Options{})
	if err == nil || !strings.Contains(err.Error(), "--yes-spend") {
		t.Errorf("Open: %v, want a refusal that names --yes-spend", err)
	}
}

func TestUnreachableAddressIsAOneLineError(t *testing.T) {
	t.Parallel()
	spec := targets.Spec{Kind: targets.URL, URL: "http://127.0.0.1:1"}
	_, err := spec.Open(context.Background(), targets.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "cannot reach DynamoDB at http://127.0.0.1:1: start it") {
		t.Errorf("Open: %v", err)
	}
	if errors.Unwrap(err) == nil {
		t.Error("the cause is lost")
	}
}
