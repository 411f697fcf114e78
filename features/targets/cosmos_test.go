package targets_test

import (
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/targets"
)

func TestEmulatorCosmosDBIsATargetByURL(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	endpoint := strings.TrimSuffix(db.CosmosURL(), "/")
	spec, err := targets.Parse("cosmos=" + endpoint)
	if err != nil {
		t.Fatal(err)
	}
	target, err := spec.Open(t.Context(), targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if reason, ok := target.Supports(targets.DynamoDB); ok || reason == "" {
		t.Error("it claims a DynamoDB")
	}
	client, err := target.Cosmos(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: target.TablePrefix + "left"},
		nil); err != nil {
		t.Fatal(err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := client.NewDatabase(target.TablePrefix + "left")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := left.Read(t.Context(), nil); err == nil {
		t.Error("a database of the run is left behind")
	}
}

func TestAzureIsRefusedUnlessSpendingIsAgreed(t *testing.T) {
	t.Parallel()
	spec := targets.Spec{Kind: targets.Azure}
	if _, err := spec.Open(t.Context(), targets.Options{}); err == nil || !strings.Contains(err.Error(), "--yes-spend") {
		t.Errorf("%v, want a refusal that names --yes-spend", err)
	}
}

func TestUnreachableCosmosDBIsAOneLineError(t *testing.T) {
	t.Parallel()
	spec := targets.Spec{Kind: targets.Cosmos, URL: "https://127.0.0.1:1"}
	if _, err := spec.Open(t.Context(), targets.Options{}); err == nil || !strings.HasPrefix(err.Error(),
		"cannot reach Cosmos DB at https://127.0.0.1:1: start it") {
		t.Errorf("%v", err)
	}
}
