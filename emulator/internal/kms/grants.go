package kms

import (
	"maps"
	"slices"
	"strings"
)

// grant allows a principal some operations on a key. Its members are named as in responses.
type grant struct {
	Constraints       *grantConstraints `json:",omitempty"`
	CreationDate      float64
	GrantId           string
	GranteePrincipal  string
	IssuingAccount    string
	KeyId             string
	Name              string `json:",omitempty"`
	Operations        []string
	RetiringPrincipal string `json:",omitempty"`
}

type grantConstraints struct {
	EncryptionContextEquals map[string]string `json:",omitempty"`
	EncryptionContextSubset map[string]string `json:",omitempty"`
}

// allow reports whether the encryption context of a request satisfies the grant's constraints.
func (g *grantConstraints) allow(context map[string]string) bool {
	if g == nil {
		return true
	}
	if g.EncryptionContextEquals != nil && !maps.Equal(g.EncryptionContextEquals, context) {
		return false
	}
	for name, value := range g.EncryptionContextSubset {
		if got, ok := context[name]; !ok || got != value {
			return false
		}
	}
	return true
}

const maxGrants = 50000

var grantOperations = []string{
	"CreateGrant", "Decrypt", "DeriveSharedSecret", "DescribeKey", "Encrypt", "GenerateDataKey", "GenerateDataKeyPair",
	"GenerateDataKeyPairWithoutPlaintext", "GenerateDataKeyWithoutPlaintext", "GenerateMac", "GetPublicKey",
	"ReEncryptFrom", "ReEncryptTo",
	"RetireGrant", "Sign", "Verify", "VerifyMac",
}

type createGrantInput struct {
	keyInput
	GranteePrincipal  *string
	RetiringPrincipal *string
	Operations        []string
	Constraints       *grantConstraints
	Name              *string
	DryRun            *bool
}

func (in *createGrantInput) check(v *violations) {
	in.keyInput.check(v)
	v.text("granteePrincipal", in.GranteePrincipal, 1, 256)
	v.optional("retiringPrincipal", in.RetiringPrincipal, 1, 256)
	v.optional("name", in.Name, 1, 256)
	if in.Operations == nil {
		v.Required(false, "operations")
	}
	for _, operation := range in.Operations {
		v.enum("operations", &operation, grantOperations...)
	}
}

type grantOutput struct{ GrantId, GrantToken string }

// createGrant returns the existing grant if a request with the same name is repeated.
func createGrant(c *call, in *createGrantInput) (any, error) {
	var id string
	_, err := c.change(in.KeyId, func(k *key) error {
		if err := c.checkUsable(k); err != nil {
			return err
		}
		if err := checkDryRun(in.DryRun); err != nil {
			return err
		}
		g := grant{
			Constraints: in.Constraints, CreationDate: c.now(), GranteePrincipal: *in.GranteePrincipal,
			IssuingAccount: c.rootARN(),
			KeyId:          c.arn("key/" + k.ID), Name: orZero(in.Name), Operations: in.Operations,
			RetiringPrincipal: orZero(in.RetiringPrincipal),
		}
		for _, known := range k.Grants {
			if g.Name != "" && known.sameAs(g) {
				id = known.GrantId
				return nil
			}
		}
		if len(k.Grants) == maxGrants {
			return kmsError("LimitExceededException", "Too many grants")
		}
		g.GrantId = c.grantID()
		id = g.GrantId
		k.Grants = append(k.Grants, g)
		return nil
	})
	return &grantOutput{id, "token-" + id}, err
}

func (g grant) sameAs(other grant) bool {
	return g.Name == other.Name && g.GranteePrincipal == other.GranteePrincipal &&
		g.RetiringPrincipal == other.RetiringPrincipal &&
		slices.Equal(g.Operations, other.Operations)
}

type listGrantsInput struct {
	keyInput
	GrantId          *string
	GranteePrincipal *string
	pageInput
}

func (in *listGrantsInput) check(v *violations) {
	in.keyInput.check(v)
	in.checkPage(v, 100)
}

type grantsOutput struct {
	Grants []grant
	pageOutput
}

func listGrants(c *call, in *listGrantsInput) (any, error) {
	k, err := c.find(*in.KeyId)
	if err != nil {
		return nil, err
	}
	return pageGrants(k.Grants, &in.pageInput, func(g grant) bool {
		return (in.GrantId == nil || g.GrantId == *in.GrantId) && (in.GranteePrincipal == nil ||
			g.GranteePrincipal == *in.GranteePrincipal)
	}), c.permit(k)
}

func pageGrants(all []grant, in *pageInput, wanted func(g grant) bool) *grantsOutput {
	all = slices.DeleteFunc(slices.Clone(all), func(g grant) bool { return !wanted(g) })
	slices.SortFunc(all, func(x, y grant) int { return strings.Compare(x.GrantId, y.GrantId) })
	some, next := page(all, func(g grant) string { return g.GrantId }, in.Limit, 50, in.Marker)
	return &grantsOutput{append([]grant{}, some...), pageEnd(next)}
}

type listRetirableGrantsInput struct {
	RetiringPrincipal *string
	pageInput
}

func (in *listRetirableGrantsInput) check(v *violations) {
	v.text("retiringPrincipal", in.RetiringPrincipal, 1, 256)
	in.checkPage(v, 100)
}

func listRetirableGrants(c *call, in *listRetirableGrantsInput) (any, error) {
	var all []grant
	for _, k := range c.sortedKeys() {
		all = append(all, k.Grants...)
	}
	return pageGrants(all, &in.pageInput, func(g grant) bool {
		return g.RetiringPrincipal == *in.RetiringPrincipal
	}), c.permitAny()
}

type revokeGrantInput struct {
	keyInput
	GrantId *string
	DryRun  *bool
}

func (in *revokeGrantInput) check(v *violations) {
	in.keyInput.check(v)
	v.text("grantId", in.GrantId, 1, 128)
}

// revokeGrant is allowed on a key that is pending deletion, too.
func revokeGrant(c *call, in *revokeGrantInput) (any, error) {
	k, err := c.find(*in.KeyId)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	if err := checkDryRun(in.DryRun); err != nil {
		return nil, err
	}
	return nil, c.dropGrant(k, *in.GrantId)
}

func (a *account) dropGrant(k *key, id string) error {
	next := k.clone()
	next.Grants = slices.DeleteFunc(next.Grants, func(g grant) bool { return g.GrantId == id })
	if len(next.Grants) == len(k.Grants) {
		return notFound("Grant ID " + id + " not found")
	}
	return a.saveKey(next)
}

type retireGrantInput struct {
	GrantToken, KeyId, GrantId *string
	DryRun                     *bool
}

func (in *retireGrantInput) check(v *violations) {
	v.optional("keyId", in.KeyId, 1, 2048)
	v.optional("grantId", in.GrantId, 1, 128)
}

// retireGrant finds the grant by its token, or by its key and id.
func retireGrant(c *call, in *retireGrantInput) (any, error) {
	id := strings.TrimPrefix(orZero(in.GrantToken), "token-")
	if in.GrantToken == nil {
		if in.KeyId == nil || in.GrantId == nil {
			return nil, validationError("Either a grant token, or a key id and a grant id, must be specified.")
		}
		id = *in.GrantId
	}
	for _, k := range c.sortedKeys() {
		i := slices.IndexFunc(k.Grants, func(g grant) bool { return g.GrantId == id })
		if i < 0 || in.KeyId != nil && c.arn("key/"+k.ID) != *in.KeyId && k.ID != *in.KeyId {
			continue
		}
		if err := c.permitRetire(k, k.Grants[i]); err != nil {
			return nil, err
		}
		if err := checkDryRun(in.DryRun); err != nil {
			return nil, err
		}
		return nil, c.dropGrant(k, id)
	}
	if in.GrantToken != nil {
		return nil, kmsError("InvalidGrantTokenException", "")
	}
	return nil, notFound("Grant ID " + id + " not found")
}
