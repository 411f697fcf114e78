package verification

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) contactSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the key of contact data is in KMS$`, w.useKMS)
	sc.Step(`^the key of contact data is (disabled|enabled) in KMS$`, w.rotateKey)
	sc.Step(`^the key of contact data is rotated in KMS$`, func(ctx context.Context) error {
		id, err := w.keyID(ctx)
		if err != nil {
			return err
		}
		_, err = w.kms().RotateKeyOnDemand(ctx, &kms.RotateKeyOnDemandInput{KeyId: id})
		return err
	})
	sc.Step(`^the administrator rotates the key of contact data$`, func(ctx context.Context) error {
		return w.MustSend(ctx, administrator, http.MethodPost, "/pii-keys/rotate", nil)
	})
	sc.Step(`^the "(email|phone)" of "([^"]*)" is moved to (?:the "(email|phone)" of )?"([^"]*)" in the store$`,
		w.moveSealed)
	sc.Step(`^the "(email|phone)" of "([^"]*)" is stored unchanged$`, w.storedAsEver)
	sc.Step(`^the stored "(email|phone)" of "([^"]*)" is remembered$`, w.rememberStored)
	sc.Step(`^the service restarts$`, func() error { return w.start(w.RecordedConfig()) })
	sc.Step(`^the service restarts without its previous keyset$`, func(ctx context.Context) error {
		_, err := w.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: w.Table(table),
			Key: primary("KEYSET#customerMetadata", "META")})
		if err != nil {
			return err
		}
		return w.start(w.RecordedConfig())
	})
}

// useKMS creates the tables with everything in their description, including the key.
func (w *world) useKMS(ctx context.Context) error {
	if err := w.described(ctx); err != nil {
		return err
	}
	w.keyset = nil
	return w.start(w.RecordedConfig())
}

// described creates the tables of the description, as tabletop tables create does.
func (w *world) described(ctx context.Context) error {
	systems, err := backend.Choose("verification")
	if err != nil {
		return err
	}
	_, err = systems[0].Create(ctx, inRegion(w.Target.Config), w.Prefix)
	return err
}

func (w *world) kms() *kms.Client { return kms.NewFromConfig(inRegion(w.Target.Config)) }

func (w *world) keyID(ctx context.Context) (*string, error) {
	out, err := w.kms().DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: aws.String("alias/verification-pii")})
	if err != nil {
		return nil, err
	}
	return out.KeyMetadata.KeyId, nil
}

func (w *world) rotateKey(ctx context.Context, how string) error {
	id, err := w.keyID(ctx)
	if err != nil {
		return err
	}
	if how == "enabled" {
		_, err = w.kms().EnableKey(ctx, &kms.EnableKeyInput{KeyId: id})
	} else {
		_, err = w.kms().DisableKey(ctx, &kms.DisableKeyInput{KeyId: id})
	}
	return err
}

func primary(pk, sk string) steps.Item {
	return steps.Item{"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: sk}}
}

// stored returns the item of a case, and the customer in it.
func (w *world) stored(ctx context.Context, called string) (item, customer steps.Item, err error) {
	out, err := w.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: w.Table(table), Key: primary("CASE#"+w.cases[called], "META"), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, nil, err
	}
	sealed, ok := out.Item["customerMetadata"].(*types.AttributeValueMemberM)
	if !ok {
		return nil, nil, errors.New("there is no such case in the store")
	}
	return out.Item, sealed.Value, nil
}

// moveSealed acts as a caller who can write to the table but not read contact data: it copies a sealed value to another
// item.
func (w *world) moveSealed(ctx context.Context, attribute, from, other, to string) error {
	_, source, err := w.stored(ctx, from)
	if err != nil {
		return err
	}
	item, target, err := w.stored(ctx, to)
	if err != nil {
		return err
	}
	target[cmp.Or(other, attribute)] = source[attribute]
	_, err = w.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: item})
	return err
}

func (w *world) rememberStored(ctx context.Context, attribute, called string) error {
	_, customer, err := w.stored(ctx, called)
	if err != nil {
		return err
	}
	value, ok := customer[attribute].(*types.AttributeValueMemberS)
	if !ok {
		return fmt.Errorf("it has no %s", attribute)
	}
	w.Set(attribute+" of "+called, value.Value)
	return nil
}

func (w *world) storedAsEver(ctx context.Context, attribute, called string) error {
	want, err := w.Fill("{" + attribute + " of " + called + "}")
	if err != nil {
		return err
	}
	_, customer, err := w.stored(ctx, called)
	if value, ok := customer[attribute].(*types.AttributeValueMemberS); err == nil && (!ok || value.Value != want) {
		err = errors.New("it was rewritten")
	}
	return err
}
