package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	kmstypes "github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

// dataKey is one that KMS made.
type dataKey struct {
	plain, sealed []byte
	back          []byte // what it was decrypted to
}

func (w *world) keys(sc *godog.ScenarioContext) {
	sc.Step(`^a key "([^"]*)"$`, w.makeKey)
	sc.Step(`^a key "([^"]*)" that rotates every (\d+) days$`, w.makeRotating)
	sc.Step(`^"([^"]*)" is disabled$`, w.disableKey)
	sc.Step(`^"([^"]*)" is enabled$`, w.enableKey)
	sc.Step(`^"([^"]*)" is rotated at once$`, w.rotateKey)
	sc.Step(`^"([^"]*)" was rotated (\d+) times$`, w.wasRotated)
	sc.Step(`^"([^"]*)" is to be deleted in (\d+) days$`, w.deleteKey)
	sc.Step(`^the deletion of "([^"]*)" is cancelled$`, w.keepKey)
	sc.Step(`^a data key of "([^"]*)" is made for (\{.*\})$`, w.makeDataKey)
	sc.Step(`^the data key is decrypted for (\{.*\})$`, func(ctx context.Context, bound string) error { return w.decrypt(ctx, "", bound) })
	sc.Step(`^the data key is decrypted by "([^"]*)" for (\{.*\})$`, w.decrypt)
	sc.Step(`^the data key is encrypted anew by "([^"]*)" for (\{.*\})$`, w.reEncrypt)
	sc.Step(`^the data key came back$`, w.dataKeyIsBack)
	sc.Step(`^a table "([^"]*)" that is encrypted by the key "([^"]*)"$`, func(ctx context.Context, table, key string) error {
		w.createEncrypted(ctx, table, key)
		return w.Err
	})
	sc.Step(`^a table "([^"]*)" is to be encrypted by the key "([^"]*)"$`, w.createEncrypted)
	sc.Step(`^the table "([^"]*)" is ([A-Z_]+)$`, w.tableIs)
}

// kms is the SDK's client of the scenario's emulator.
func (w *world) kms() *kms.Client {
	return kms.NewFromConfig(w.Target.Emulator.AWSConfig(), func(o *kms.Options) { o.Retryer = aws.NopRetryer{} })
}

// keyID is the id of a key that the scenario made under that name.
func (w *world) keyID(ctx context.Context, name string) (*string, error) {
	out, err := w.kms().DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: aws.String("alias/" + name)})
	if err != nil {
		return nil, err
	}
	return out.KeyMetadata.KeyId, nil
}

func (w *world) makeKey(ctx context.Context, name string) error {
	made, err := w.kms().CreateKey(ctx, nil)
	if err != nil {
		return err
	}
	_, err = w.kms().CreateAlias(ctx, &kms.CreateAliasInput{AliasName: aws.String("alias/" + name), TargetKeyId: made.KeyMetadata.KeyId})
	return err
}

func (w *world) makeRotating(ctx context.Context, name string, days int32) error {
	if err := w.makeKey(ctx, name); err != nil {
		return err
	}
	id, err := w.keyID(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.kms().EnableKeyRotation(ctx, &kms.EnableKeyRotationInput{KeyId: id, RotationPeriodInDays: &days})
	return err
}

func (w *world) disableKey(ctx context.Context, name string) error {
	id, err := w.keyID(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.kms().DisableKey(ctx, &kms.DisableKeyInput{KeyId: id})
	return err
}

func (w *world) enableKey(ctx context.Context, name string) error {
	id, err := w.keyID(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.kms().EnableKey(ctx, &kms.EnableKeyInput{KeyId: id})
	return err
}

func (w *world) rotateKey(ctx context.Context, name string) error {
	id, err := w.keyID(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.kms().RotateKeyOnDemand(ctx, &kms.RotateKeyOnDemandInput{KeyId: id})
	return err
}

func (w *world) wasRotated(ctx context.Context, name string, times int) error {
	id, err := w.keyID(ctx, name)
	if err != nil {
		return err
	}
	out, err := w.kms().ListKeyRotations(ctx, &kms.ListKeyRotationsInput{KeyId: id})
	if err == nil && len(out.Rotations) != times {
		err = fmt.Errorf("it was rotated %d times", len(out.Rotations))
	}
	return err
}

func (w *world) deleteKey(ctx context.Context, name string, days int32) error {
	id, err := w.keyID(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.kms().ScheduleKeyDeletion(ctx, &kms.ScheduleKeyDeletionInput{KeyId: id, PendingWindowInDays: &days})
	return err
}

func (w *world) keepKey(ctx context.Context, name string) error {
	id, err := w.keyID(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.kms().CancelKeyDeletion(ctx, &kms.CancelKeyDeletionInput{KeyId: id})
	return err
}

// contextOf reads an encryption context that a scenario writes as JSON.
func contextOf(text string) (bound map[string]string, err error) {
	return bound, json.Unmarshal([]byte(text), &bound)
}

func (w *world) makeDataKey(ctx context.Context, name, text string) error {
	bound, err := contextOf(text)
	if err != nil {
		return err
	}
	out, err := w.kms().GenerateDataKey(ctx, &kms.GenerateDataKeyInput{
		KeyId: aws.String("alias/" + name), KeySpec: kmstypes.DataKeySpecAes256, EncryptionContext: bound,
	})
	if err == nil {
		w.dataKey = dataKey{plain: out.Plaintext, sealed: out.CiphertextBlob}
	}
	return err
}

// decrypt decrypts the data key; an empty name leaves it to the ciphertext to say which key it is of.
func (w *world) decrypt(ctx context.Context, name, text string) error {
	bound, err := contextOf(text)
	if err != nil {
		return err
	}
	in := &kms.DecryptInput{CiphertextBlob: w.dataKey.sealed, EncryptionContext: bound}
	if name != "" {
		in.KeyId = aws.String("alias/" + name)
	}
	out, err := w.kms().Decrypt(ctx, in)
	w.Reply, w.dataKey.back = steps.Reply{Err: err}, nil
	if err == nil {
		w.dataKey.back = out.Plaintext
	}
	return nil
}

func (w *world) reEncrypt(ctx context.Context, name, text string) error {
	bound, err := contextOf(text)
	if err != nil {
		return err
	}
	out, err := w.kms().ReEncrypt(ctx, &kms.ReEncryptInput{
		CiphertextBlob: w.dataKey.sealed, SourceEncryptionContext: bound, DestinationKeyId: aws.String("alias/" + name), DestinationEncryptionContext: bound,
	})
	if err == nil {
		w.dataKey.sealed = out.CiphertextBlob
	}
	return err
}

func (w *world) dataKeyIsBack() error {
	if w.Err != nil {
		return w.Err
	}
	if !bytes.Equal(w.dataKey.back, w.dataKey.plain) {
		return fmt.Errorf("%d other bytes came back", len(w.dataKey.back))
	}
	return nil
}

func (w *world) createEncrypted(ctx context.Context, table, key string) {
	in := steps.TableOf(w.Prefix+table, "id", "")
	in.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms, KMSMasterKeyId: aws.String("alias/" + key)}
	w.Reply = steps.Reply{Err: w.Create(ctx, in)}
}

func (w *world) tableIs(ctx context.Context, table, status string) error {
	out, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err == nil && string(out.Table.TableStatus) != status {
		err = fmt.Errorf("the table is %s", out.Table.TableStatus)
	}
	return err
}
