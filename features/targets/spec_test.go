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
		"cosmos=https://127.0.0.1:8081", "azure"} {
		spec, err := targets.Parse(name)
		if err != nil || spec.String() != name {
			t.Errorf("Parse(%q) = %q, %v", name, spec, err)
		}
	}
}

func TestParseRefusesWithARemedy(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dynamo", "url=", "url=localhost:8000", "url=ftp://host", "Embedded"} {
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
