package emulator_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestKilledEncryptedEmulatorLeavesNoPlaintext kills an emulator with an encrypted folder during writes to an encrypted
// table, searches its files, including the log, and reads every acknowledged write with the next emulator.
func TestKilledEncryptedEmulatorLeavesNoPlaintext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := emulator.Run(t, emulator.WithData(dir), emulator.WithEncryption()).Close(); err != nil {
		t.Fatal(err)
	}
	v := startEmulatorProcess(t, dir)
	d := v.withKMS()
	made, err := d.keys.CreateKey(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.makeEncrypted("orders", *made.KeyMetadata.Arn); err != nil {
		t.Fatal(err)
	}
	d.fill(t, "orders", 200)
	v.kill()
	search(t, dir, "recognisable")
	v = startEmulatorProcess(t, dir)
	if n := count(t, v.client, "orders"); n != 200 {
		t.Errorf("%d items came back", n)
	}
	v.kill()
}

// withKMS returns the victim with a KMS client.
func (v *emulatorProcess) withKMS() *encryptedEmulator {
	return &encryptedEmulator{tables: v.client, keys: kms.NewFromConfig(aws.Config{
		Region: "us-east-1", BaseEndpoint: v.client.Options().BaseEndpoint,
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", ""),
	})}
}
