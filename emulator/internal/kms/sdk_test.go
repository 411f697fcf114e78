package kms_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	sdk "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/tink-crypto/tink-go-awskms/v3/integration/awskms"
	"github.com/tink-crypto/tink-go/v2/aead"
)

// client returns an SDK client over a socket.
func (d *testService) client(t *testing.T) *sdk.Client {
	t.Helper()
	server := httptest.NewServer(d.service)
	t.Cleanup(server.Close)
	return sdk.NewFromConfig(aws.Config{
		Region: "us-east-1", BaseEndpoint: aws.String(server.URL), Credentials: credentials.NewStaticCredentialsProvider("a",
			"b", ""),
	})
}

func TestEnvelopeEncryptionByTheSDK(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	c, ctx := d.client(t), context.Background()
	made, err := c.CreateKey(ctx, &sdk.CreateKeyInput{Description: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	if at := made.KeyMetadata.CreationDate; !at.Equal(d.clock.Now()) ||
		made.KeyMetadata.KeyState != types.KeyStateEnabled {
		t.Errorf("made at %v, %v", at, made.KeyMetadata.KeyState)
	}
	bound := map[string]string{"tenant": "7"}
	dk, err := c.GenerateDataKey(ctx, &sdk.GenerateDataKeyInput{KeyId: made.KeyMetadata.Arn,
		KeySpec: types.DataKeySpecAes256, EncryptionContext: bound})
	if err != nil || len(dk.Plaintext) != 32 {
		t.Fatalf("%d bytes, %v", len(dk.Plaintext), err)
	}
	if _, err := c.RotateKeyOnDemand(ctx, &sdk.RotateKeyOnDemandInput{KeyId: made.KeyMetadata.KeyId}); err != nil {
		t.Fatal(err)
	}
	back, err := c.Decrypt(ctx, &sdk.DecryptInput{CiphertextBlob: dk.CiphertextBlob, EncryptionContext: bound})
	if err != nil || string(back.Plaintext) != string(dk.Plaintext) || *back.KeyMaterialId != *dk.KeyMaterialId {
		t.Errorf("%v", err)
	}
	var invalid *types.InvalidCiphertextException
	if _, err = c.Decrypt(ctx, &sdk.DecryptInput{CiphertextBlob: dk.CiphertextBlob}); !errors.As(err, &invalid) {
		t.Errorf("without its context: %v", err)
	}
	if _, err := c.DisableKey(ctx, &sdk.DisableKeyInput{KeyId: made.KeyMetadata.KeyId}); err != nil {
		t.Fatal(err)
	}
	var off *types.DisabledException
	if _, err = c.Decrypt(ctx, &sdk.DecryptInput{CiphertextBlob: dk.CiphertextBlob,
		EncryptionContext: bound}); !errors.As(err, &off) {
		t.Errorf("when disabled: %v", err)
	}
}

// TestCiphertextsCannotBeChanged flips each bit of a ciphertext in turn.
func TestCiphertextsCannotBeChanged(t *testing.T) {
	t.Parallel()
	c, ctx := newTestService(t).client(t), context.Background()
	made, err := c.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.Encrypt(ctx, &sdk.EncryptInput{KeyId: made.KeyMetadata.KeyId, Plaintext: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(out.CiphertextBlob) * 8 {
		blob := append([]byte(nil), out.CiphertextBlob...)
		blob[i/8] ^= 1 << (i % 8)
		if _, err := c.Decrypt(ctx, &sdk.DecryptInput{CiphertextBlob: blob}); err == nil {
			t.Errorf("bit %d may be flipped", i)
		}
	}
}

func TestPagesByTheSDK(t *testing.T) {
	t.Parallel()
	c, ctx := newTestService(t).client(t), context.Background()
	for range 7 {
		if _, err := c.CreateKey(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for pages := sdk.NewListKeysPaginator(c, &sdk.ListKeysInput{Limit: aws.Int32(2)}); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range page.Keys {
			seen[*k.KeyId] = true
		}
	}
	if len(seen) != 7 {
		t.Errorf("%d keys were listed", len(seen))
	}
}

// TestTink encrypts with Tink's client, directly and with envelope encryption.
func TestTink(t *testing.T) {
	t.Parallel()
	c, ctx := newTestService(t).client(t), context.Background()
	made, err := c.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	uri := "aws-kms://" + *made.KeyMetadata.Arn
	client, err := awskms.NewClientWithOptions(ctx, uri, awskms.WithKMS(c))
	if err != nil {
		t.Fatal(err)
	}
	remote, err := client.GetAEAD(uri)
	if err != nil {
		t.Fatal(err)
	}
	envelope := aead.NewKMSEnvelopeAEAD2(aead.AES256GCMKeyTemplate(), remote)
	for name, primitive := range map[string]interface {
		Encrypt(plaintext, associated []byte) ([]byte, error)
		Decrypt(ciphertext, associated []byte) ([]byte, error)
	}{"direct": remote, "envelope": envelope} {
		sealed, err := primitive.Encrypt([]byte("a secret"), []byte("orders"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if back, err := primitive.Decrypt(sealed, []byte("orders")); err != nil || string(back) != "a secret" {
			t.Errorf("%s: %q, %v", name, back, err)
		}
		if _, err := primitive.Decrypt(sealed, []byte("others")); err == nil {
			t.Errorf("%s: decrypted for something else", name)
		}
	}
}
