package tablefile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// awsAlias is the alias of the AWS managed key aws/dynamodb.
const awsAlias = "alias/aws/dynamodb"

// readAliases reads the aliases of the target's keys, once.
func (t *Target) readAliases(ctx context.Context) error {
	if t.aliases != nil || t.keys == nil {
		return nil
	}
	t.aliases = map[string]string{}
	pages := kms.NewListAliasesPaginator(t.keys, &kms.ListAliasesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, a := range page.Aliases {
			id, name := aws.ToString(a.TargetKeyId), aws.ToString(a.AliasName)
			if known, ok := t.aliases[id]; id != "" && (!ok || name < known) {
				t.aliases[id] = name
			}
		}
	}
	return nil
}

// keyName returns the name of a key in a file: aws, an alias, or its ARN if it has no alias.
func (t *Target) keyName(ctx context.Context, arn string) (string, error) {
	if err := t.readAliases(ctx); err != nil {
		return "", err
	}
	_, id, _ := strings.Cut(arn, ":key/")
	switch alias := t.aliases[id]; {
	case alias == awsAlias || strings.HasSuffix(arn, awsAlias):
		return AWSKey, nil
	case alias != "":
		return alias, nil
	case arn == "":
		return AWSKey, nil
	}
	if t.keys != nil {
		if out, err := t.keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &arn}); err == nil &&
			out.KeyMetadata.KeyManager == types.KeyManagerTypeAws {
			return AWSKey, nil
		}
	}
	return arn, nil
}

// readKeys returns the customer managed keys that the tables of a file name by alias.
func (t *Target) readKeys(ctx context.Context, f *File) error {
	for _, table := range f.Tables {
		alias := table.Encryption
		known := slices.ContainsFunc(f.Keys, func(k Key) bool { return k.Alias == alias })
		if !strings.HasPrefix(alias, "alias/") || known {
			continue
		}
		k, err := t.readKey(ctx, alias)
		if err != nil {
			return err
		}
		if k != nil {
			f.Keys = append(f.Keys, *k)
		}
	}
	return nil
}

// mayHaveAlias reports whether the target may have an alias of a key. It lists the aliases, because the description of
// a missing one is an error. A caller who may not list them gets true.
func (t *Target) mayHaveAlias(ctx context.Context, alias string) (bool, error) {
	has := func(a types.AliasListEntry) bool { return aws.ToString(a.AliasName) == alias }
	pages := kms.NewListAliasesPaginator(t.keys, &kms.ListAliasesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return isDenied(err), ignoreDenied(err)
		}
		if slices.ContainsFunc(page.Aliases, has) {
			return true, nil
		}
	}
	return false, nil
}

// readKey returns the key of an alias, or nil if there is none.
func (t *Target) readKey(ctx context.Context, alias string) (*Key, error) {
	if may, err := t.mayHaveAlias(ctx, alias); err != nil || !may {
		return nil, err
	}
	out, err := t.keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &alias})
	if code(err) == "NotFoundException" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k := &Key{Alias: alias, Description: aws.ToString(out.KeyMetadata.Description)}
	rotation, err := t.keys.GetKeyRotationStatus(ctx, &kms.GetKeyRotationStatusInput{KeyId: out.KeyMetadata.KeyId})
	if err != nil {
		return nil, err
	}
	if rotation.KeyRotationEnabled {
		k.RotationDays = aws.ToInt32(rotation.RotationPeriodInDays)
	}
	tags, err := t.keys.ListResourceTags(ctx, &kms.ListResourceTagsInput{KeyId: out.KeyMetadata.KeyId})
	if err != nil {
		return nil, err
	}
	for _, tag := range tags.Tags {
		if k.Tags == nil {
			k.Tags = map[string]string{}
		}
		k.Tags[*tag.TagKey] = *tag.TagValue
	}
	return k, nil
}

// compareKey finds the differences of a target's key. The description and the tags matter only when it is created.
func (t *Target) compareKey(ctx context.Context, p *Plan, want Key) error {
	have, err := t.readKey(ctx, want.Alias)
	if err != nil {
		return err
	}
	if have == nil {
		p.add("", "create key "+want.Alias, func(ctx context.Context) error { return t.makeKey(ctx, want) })
		return nil
	}
	if have.RotationDays == want.RotationDays {
		p.addUnchanged("key " + want.Alias)
		return nil
	}
	p.add("", fmt.Sprintf("change rotation of key %s from %s to %s", want.Alias, days(have.RotationDays),
		days(want.RotationDays)), func(ctx context.Context) error {
		out, err := t.keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &want.Alias})
		if err != nil {
			return err
		}
		return t.rotate(ctx, out.KeyMetadata.KeyId, want.RotationDays)
	})
	return nil
}

// days returns a rotation period as text.
func days(n int32) string {
	if n == 0 {
		return "never"
	}
	return fmt.Sprintf("every %d days", n)
}

func (t *Target) makeKey(ctx context.Context, k Key) error {
	in := &kms.CreateKeyInput{Description: aws.String(k.Description)}
	for _, key := range slices.Sorted(maps.Keys(k.Tags)) {
		in.Tags = append(in.Tags, types.Tag{TagKey: aws.String(key), TagValue: aws.String(k.Tags[key])})
	}
	out, err := t.keys.CreateKey(ctx, in)
	if err != nil {
		return err
	}
	id := out.KeyMetadata.KeyId
	if _, err := t.keys.CreateAlias(ctx, &kms.CreateAliasInput{AliasName: &k.Alias, TargetKeyId: id}); err != nil {
		return err
	}
	t.aliases = nil
	if k.RotationDays == 0 {
		return nil
	}
	return t.rotate(ctx, id, k.RotationDays)
}

func (t *Target) rotate(ctx context.Context, id *string, every int32) error {
	if every == 0 {
		_, err := t.keys.DisableKeyRotation(ctx, &kms.DisableKeyRotationInput{KeyId: id})
		return err
	}
	_, err := t.keys.EnableKeyRotation(ctx, &kms.EnableKeyRotationInput{KeyId: id, RotationPeriodInDays: &every})
	return err
}
