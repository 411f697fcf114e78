package emulator_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// TestKeyPolicyDecides lets a user encrypt whose own policies do not allow it: first through the key's policy, for
// one encryption context, then through a grant.
func TestKeyPolicyDecides(t *testing.T) {
	t.Parallel()
	e, ctx := guarded(t), t.Context()
	ana, bob, eve := kms.NewFromConfig(e.AWSConfigFor("ana")), kms.NewFromConfig(e.AWSConfigFor("bob")),
		kms.NewFromConfig(e.AWSConfigFor("eve"))
	made, err := ana.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	key := made.KeyMetadata.Arn
	if want := "arn:aws:kms:us-east-1:123456789012:key/" + *made.KeyMetadata.KeyId; *key != want {
		t.Errorf("the key is %s", *key)
	}
	encrypt := func(c *kms.Client, tenant string) error {
		_, err := c.Encrypt(ctx, &kms.EncryptInput{KeyId: key, Plaintext: []byte("x"),
			EncryptionContext: map[string]string{"tenant": tenant}})
		return err
	}
	denied(t, encrypt(bob, "7"), "AccessDeniedException",
		"User: arn:aws:iam::123456789012:user/bob is not authorized to perform: kms:Encrypt on resource: "+*key)
	if err := encrypt(eve, "7"); err == nil {
		t.Error("another account's key is used")
	}
	policy := `{"Version": "2012-10-17", "Statement": [
		{"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::123456789012:root"}, "Action": "kms:*", "Resource": "*"},
		{"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::123456789012:user/bob"}, "Action": "kms:Encrypt", "Resource": "*",
			"Condition": {"StringEquals": {"kms:EncryptionContext:tenant": "7"}}}]}`
	if _, err := ana.PutKeyPolicy(ctx, &kms.PutKeyPolicyInput{KeyId: key, Policy: &policy}); err != nil {
		t.Fatal(err)
	}
	if err := encrypt(bob, "7"); err != nil {
		t.Error(err)
	}
	denied(t, encrypt(bob, "8"), "AccessDeniedException", "kms:Encrypt")
	_, err = ana.CreateGrant(ctx, &kms.CreateGrantInput{
		KeyId: key, GranteePrincipal: aws.String("arn:aws:iam::123456789012:user/bob"),
		Operations:  []types.GrantOperation{types.GrantOperationEncrypt},
		Constraints: &types.GrantConstraints{EncryptionContextSubset: map[string]string{"tenant": "8"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := encrypt(bob, "8"); err != nil {
		t.Errorf("with a grant: %v", err)
	}
	denied(t, encrypt(bob, "9"), "AccessDeniedException", "kms:Encrypt")
}

// TestGrantToARoleAppliesToItsSessions lets a role, whose policies do not mention keys, use one through a grant.
func TestGrantToARoleAppliesToItsSessions(t *testing.T) {
	t.Parallel()
	e, ctx := guarded(t), t.Context()
	ana := kms.NewFromConfig(e.AWSConfigFor("ana"))
	made, err := ana.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	as := e.AWSConfigFor("bob")
	as.Credentials = stscreds.NewAssumeRoleProvider(sts.NewFromConfig(e.AWSConfigFor("bob")),
		"arn:aws:iam::123456789012:role/reader",
		func(o *stscreds.AssumeRoleOptions) { o.ExternalID = aws.String("desk") })
	reader := kms.NewFromConfig(as)
	encrypt := func() error {
		_, err := reader.Encrypt(ctx, &kms.EncryptInput{KeyId: made.KeyMetadata.Arn, Plaintext: []byte("x")})
		return err
	}
	denied(t, encrypt(), "AccessDeniedException", "kms:Encrypt")
	_, err = ana.CreateGrant(ctx, &kms.CreateGrantInput{
		KeyId: made.KeyMetadata.Arn, GranteePrincipal: aws.String("arn:aws:iam::123456789012:role/reader"),
		Operations: []types.GrantOperation{types.GrantOperationEncrypt},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := encrypt(); err != nil {
		t.Error(err)
	}
}
