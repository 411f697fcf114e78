package emulator_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/tabletop-db/tabletop/emulator"
)

// safeBuffer is a buffer for a log that many write to.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestNothingSecretIsLoggedOrRecorded has all services asked, rightly and wrongly, and looks for what they were told.
func TestNothingSecretIsLoggedOrRecorded(t *testing.T) {
	t.Parallel()
	var log safeBuffer
	var recording bytes.Buffer
	e, err := emulator.Start(emulator.WithIdentitiesFrom(strings.NewReader(strings.ReplaceAll(people, "123456789012", "000000000000"))), emulator.WithRecording(&recording),
		emulator.WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	if err != nil {
		t.Fatal(err)
	}
	secrets := askEverything(t, e)
	a := send(t, request(t, e, "ListTables", strings.NewReader("{}"), "Authorization", "AWS4-HMAC-SHA256 Signature=feedfacefeedface"))
	if name, _ := a.errorOf(); name != "IncompleteSignatureException" {
		t.Errorf("%s", a.body)
	}
	secrets["a signature"] = "feedface"
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if log.String() == "" || !strings.Contains(recording.String(), `"dynamodb:ListTables"`) {
		t.Error("nothing was logged, or nothing recorded")
	}
	for what, secret := range secrets {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s is in the log", what)
		}
		if strings.Contains(recording.String(), secret) {
			t.Errorf("%s is in the recording", what)
		}
	}
}

// askEverything uses each service as ana does, and with a wrong secret. It returns what nobody else may read.
func askEverything(t *testing.T, e *emulator.Emulator) map[string]string {
	t.Helper()
	ctx := context.Background()
	config := e.AWSConfigFor("ana")
	if _, err := dynamodb.NewFromConfig(config).ListTables(ctx, nil); err != nil {
		t.Fatal(err)
	}
	wrong := e.AWSConfig()
	wrong.Credentials = credentials.NewStaticCredentialsProvider("AKIAANAANAANAANAANA1", "wrong-secret-of-ana", "")
	if _, err := dynamodb.NewFromConfig(wrong).ListTables(ctx, nil); err == nil {
		t.Error("a wrong secret is right")
	}
	keys := kms.NewFromConfig(config)
	key, err := keys.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := keys.Encrypt(ctx, &kms.EncryptInput{KeyId: key.KeyMetadata.KeyId, Plaintext: []byte("plaintext-of-ana")})
	if err != nil {
		t.Fatal(err)
	}
	packed.CiphertextBlob[len(packed.CiphertextBlob)-1] ^= 1
	if _, err := keys.Decrypt(ctx, &kms.DecryptInput{CiphertextBlob: packed.CiphertextBlob}); err == nil {
		t.Error("a changed ciphertext is right")
	}
	role, err := sts.NewFromConfig(config).AssumeRole(ctx, &sts.AssumeRoleInput{
		RoleArn: aws.String("arn:aws:iam::000000000000:role/reader"), RoleSessionName: aws.String("desk"), ExternalId: aws.String("desk"),
	})
	if err != nil {
		t.Fatal(err)
	}
	temporary := e.AWSConfig()
	temporary.Credentials = credentials.NewStaticCredentialsProvider(*role.Credentials.AccessKeyId, *role.Credentials.SecretAccessKey, *role.Credentials.SessionToken)
	if _, err := dynamodb.NewFromConfig(temporary).ListTables(ctx, nil); err == nil {
		t.Error("the role lists tables")
	}
	return map[string]string{
		"the secret of a key": "secret-of-ana", "what is encrypted": "plaintext-of-ana",
		"a session's secret": *role.Credentials.SecretAccessKey, "a session's token": *role.Credentials.SessionToken,
	}
}
