package emulator_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestKeysAreOnTheSamePort makes a key, and has a snapshot bring it back.
func TestKeysAreOnTheSamePort(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	keys, ctx := kms.NewFromConfig(e.AWSConfig()), context.Background()
	made, err := keys.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: made.KeyMetadata.KeyId}); err == nil {
		t.Error("the key outlived a reset")
	}
	if err := e.Restore(before); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: made.KeyMetadata.KeyId}); err != nil {
		t.Error(err)
	}
}
